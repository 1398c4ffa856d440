// SPDX-License-Identifier: Apache-2.0
//! Block-sparse times dense on an NVIDIA card, by libkernelgate_bsr.so. Plain FFI: no crates, Rust 1.63 or later.
//!
//! ```ignore
//! let pattern = Pattern { rows, columns, block: (64, 64), row_begin: &row_begin, block_column: &block_column };
//! let mut plan = Plan::new(&pattern, n, Type::Fp16)?;
//! let c = plan.multiply(&values, &b)?;          // slices of the host: the bits of 16-bit elements
//! unsafe { plan.bind(values, b, c)? };          // or addresses of the GPU
//! unsafe { plan.run(std::ptr::null_mut())? };   // enqueues on a cudaStream_t
//! println!("{}\n{}", plan.configuration(), plan.decision());
//! ```
//!
//! What each call does, and what must live how long, stands in kernelgate_bsr.h.

use std::ffi::{c_void, CStr, CString};
use std::fmt;
use std::os::raw::c_char;

pub const ABI: i32 = 1;

#[repr(C)]
struct RawPattern {
    rows: i32,
    columns: i32,
    block_rows: i32,
    block_columns: i32,
    row_begin: *const i32,
    block_column: *const i32,
}

#[link(name = "kernelgate_bsr")]
extern "C" {
    fn kg_bsr_abi() -> i32;
    fn kg_bsr_last_error() -> *const c_char;
    fn kg_bsr_plan_create(pattern: *const RawPattern, n: i32, data_type: i32, plan: *mut *mut c_void) -> i32;
    fn kg_bsr_plan_destroy(plan: *mut c_void);
    fn kg_bsr_plan_pin(plan: *mut c_void, configuration: *const c_char) -> i32;
    fn kg_bsr_plan_bind(plan: *mut c_void, values: *const c_void, b: *const c_void, c: *mut c_void) -> i32;
    fn kg_bsr_plan_run(plan: *mut c_void, stream: *mut c_void) -> i32;
    fn kg_bsr_plan_multiply(plan: *mut c_void, values: *const c_void, b: *const c_void, c: *mut c_void) -> i32;
    fn kg_bsr_plan_configuration(plan: *const c_void) -> *const c_char;
    fn kg_bsr_plan_decision(plan: *const c_void) -> *const c_char;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Fp16 = 0,
    Bf16 = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Invalid,
    NoDevice,
    Failed,
    NoMemory,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// Where A has blocks. The blocks of block row i are those from row_begin[i] to row_begin[i + 1].
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    pub rows: i32,
    pub columns: i32,
    pub block: (i32, i32),
    pub row_begin: &'a [i32],
    pub block_column: &'a [i32],
}

fn invalid<T>(text: String) -> Result<T, Error> {
    Err(Error { kind: Kind::Invalid, text })
}

// The library's texts are valid until its next call.
fn text_at(text: *const c_char) -> String {
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn checked(status: i32) -> Result<(), Error> {
    let kind = match status {
        0 => return Ok(()),
        1 => Kind::Invalid,
        2 => Kind::NoDevice,
        4 => Kind::NoMemory,
        _ => Kind::Failed,
    };
    Err(Error { kind, text: text_at(unsafe { kg_bsr_last_error() }) })
}

/// One product for one pattern, number of columns and type. Used by one thread at a time.
pub struct Plan {
    plan: *mut c_void,
    values: usize,
    b: usize,
    c: usize,
}

// A plan has no ties to the thread that made it.
unsafe impl Send for Plan {}

impl Plan {
    pub fn new(pattern: &Pattern, n: i32, data_type: Type) -> Result<Plan, Error> {
        let (block_rows, block_columns) = pattern.block;
        if pattern.rows.min(pattern.columns).min(n) < 0 || block_rows.min(block_columns) < 1 {
            return invalid("rows, columns and n must not be below 0, a block's sizes not below 1".to_string());
        }
        let rows = (pattern.rows / block_rows) as usize;
        let last = pattern.row_begin.last().copied().unwrap_or(-1);
        if pattern.row_begin.len() != rows + 1 || pattern.block_column.len() as i64 != last as i64 {
            return invalid(format!("row_begin needs {} entries, block_column as many as its last says", rows + 1));
        }
        let found = unsafe { kg_bsr_abi() };
        if found != ABI {
            return invalid(format!("the library speaks version {}, this module {}", found, ABI));
        }
        let raw = RawPattern {
            rows: pattern.rows,
            columns: pattern.columns,
            block_rows,
            block_columns,
            row_begin: pattern.row_begin.as_ptr(),
            block_column: pattern.block_column.as_ptr(),
        };
        let mut plan = std::ptr::null_mut();
        checked(unsafe { kg_bsr_plan_create(&raw, n, data_type as i32, &mut plan) })?;
        Ok(Plan {
            plan,
            values: pattern.block_column.len() * block_rows as usize * block_columns as usize,
            b: pattern.columns as usize * n as usize,
            c: pattern.rows as usize * n as usize,
        })
    }

    /// Takes a configuration in place of choosing, from the next bind on; an empty one: choose.
    pub fn pin(&mut self, configuration: &str) -> Result<(), Error> {
        match CString::new(configuration) {
            Ok(text) => checked(unsafe { kg_bsr_plan_pin(self.plan, text.as_ptr()) }),
            Err(_) => invalid("a configuration has no zero byte".to_string()),
        }
    }

    /// # Safety
    /// The three are addresses of the GPU's memory, multiples of 16, large enough, and live while the plan is bound.
    pub unsafe fn bind(&mut self, values: *const c_void, b: *const c_void, c: *mut c_void) -> Result<(), Error> {
        checked(kg_bsr_plan_bind(self.plan, values, b, c))
    }

    /// # Safety
    /// `stream` is a cudaStream_t or null; what the plan is bound to still lives.
    pub unsafe fn run(&mut self, stream: *mut c_void) -> Result<(), Error> {
        checked(kg_bsr_plan_run(self.plan, stream))
    }

    /// The product of the host's operands.
    pub fn multiply(&mut self, values: &[u16], b: &[u16]) -> Result<Vec<u16>, Error> {
        if values.len() != self.values || b.len() != self.b {
            return invalid(format!("{} values and {} elements of B are needed", self.values, self.b));
        }
        let mut c = vec![0u16; self.c];
        let (values, b, out) = (values.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
        checked(unsafe { kg_bsr_plan_multiply(self.plan, values, b, out) })?;
        Ok(c)
    }

    pub fn configuration(&self) -> String {
        text_at(unsafe { kg_bsr_plan_configuration(self.plan) })
    }

    pub fn decision(&self) -> String {
        text_at(unsafe { kg_bsr_plan_decision(self.plan) })
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        unsafe { kg_bsr_plan_destroy(self.plan) }
    }
}
