// SPDX-License-Identifier: Apache-2.0
//! Attention forward on an NVIDIA card, by libkernelgate_attention.so. Plain FFI: no crates, Rust 1.63 or later.
//!
//! ```ignore
//! let problem = Problem { data_type: Type::Fp16, batch, heads, key_heads, queries, keys, depth: 128, causal: true,
//!                         diagonal: 0, scale: 0.088, q, k, v, o };   // operands: address of the GPU, and strides
//! let plan = unsafe { Plan::new(&problem, Layout::Dense, None)? };
//! unsafe { plan.run(std::ptr::null_mut())? };   // enqueues on a cudaStream_t
//! println!("{}", plan.configuration());
//! ```
//!
//! What each member means, and what must live how long, stands in kernelgate_attention.h.

use std::ffi::{c_void, CStr, CString};
use std::fmt;
use std::os::raw::c_char;

pub const ABI: i32 = 1;

/// Elements from one batch, head and row to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strides {
    pub batch: i64,
    pub head: i64,
    pub row: i64,
}

#[repr(C)]
struct RawProblem {
    data_type: i32,
    batch: i32,
    heads: i32,
    key_heads: i32,
    queries: i32,
    keys: i32,
    depth: i32,
    causal: i32,
    diagonal: i32,
    scale: f32,
    addresses: [*const c_void; 4],
    strides: [Strides; 4],
}

#[repr(C)]
struct RawPacked {
    query_offsets: *const i32,
    key_offsets: *const i32,
    longest_queries: i32,
    longest_keys: i32,
}

#[repr(C)]
struct RawBlocks {
    offsets: *const i32,
    blocks: *const i32,
    rows: i32,
    columns: i32,
    per_head: i32,
    per_batch: i32,
}

#[link(name = "kernelgate_attention")]
extern "C" {
    fn kg_attention_abi() -> i32;
    fn kg_attention_last_error() -> *const c_char;
    fn kg_attention_plan_create(problem: *const RawProblem, name: *const c_char, plan: *mut *mut c_void) -> i32;
    fn kg_attention_plan_create_packed(problem: *const RawProblem, packed: *const RawPacked, name: *const c_char,
                                       plan: *mut *mut c_void) -> i32;
    fn kg_attention_plan_create_sparse(problem: *const RawProblem, blocks: *const RawBlocks, name: *const c_char,
                                       plan: *mut *mut c_void) -> i32;
    fn kg_attention_plan_destroy(plan: *mut c_void);
    fn kg_attention_plan_configuration(plan: *const c_void) -> *const c_char;
    fn kg_attention_plan_run(plan: *const c_void, stream: *mut c_void) -> i32;
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

/// An address of the GPU's memory, a multiple of 16, and how rows lie there.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub address: *const c_void,
    pub strides: Strides,
}

#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub data_type: Type,
    pub batch: i32,
    pub heads: i32,
    pub key_heads: i32,
    pub queries: i32,
    pub keys: i32,
    pub depth: i32,
    pub causal: bool,
    pub diagonal: i32,
    pub scale: f32,
    pub q: Operand,
    pub k: Operand,
    pub v: Operand,
    pub o: Operand,
}

/// Addresses of the GPU; read by each run.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    Dense,
    Packed { query_offsets: *const i32, key_offsets: *const i32, longest_queries: i32, longest_keys: i32 },
    Sparse { offsets: *const i32, blocks: *const i32, rows: i32, columns: i32, per_head: bool, per_batch: bool },
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
    Err(Error { kind, text: text_at(unsafe { kg_attention_last_error() }) })
}

/// One problem; used by one thread at a time, and its runs must follow each other.
pub struct Plan {
    plan: *mut c_void,
}

// A plan has no ties to the thread that made it.
unsafe impl Send for Plan {}

impl Plan {
    /// # Safety
    /// The addresses are the GPU's, large enough for the sizes and strides, and live as long as the plan runs.
    pub unsafe fn new(problem: &Problem, layout: Layout, configuration: Option<&str>) -> Result<Plan, Error> {
        let found = kg_attention_abi();
        if found != ABI {
            return invalid(format!("the library speaks version {}, this module {}", found, ABI));
        }
        let name = match configuration.map(CString::new).transpose() {
            Ok(name) => name,
            Err(_) => return invalid("a configuration has no zero byte".to_string()),
        };
        let name = name.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        let operands = [problem.q, problem.k, problem.v, problem.o];
        let raw = RawProblem {
            data_type: problem.data_type as i32,
            batch: problem.batch,
            heads: problem.heads,
            key_heads: problem.key_heads,
            queries: problem.queries,
            keys: problem.keys,
            depth: problem.depth,
            causal: problem.causal as i32,
            diagonal: problem.diagonal,
            scale: problem.scale,
            addresses: operands.map(|one| one.address),
            strides: operands.map(|one| one.strides),
        };
        let mut plan = std::ptr::null_mut();
        checked(match layout {
            Layout::Dense => kg_attention_plan_create(&raw, name, &mut plan),
            Layout::Packed { query_offsets, key_offsets, longest_queries, longest_keys } => {
                let packed = RawPacked { query_offsets, key_offsets, longest_queries, longest_keys };
                kg_attention_plan_create_packed(&raw, &packed, name, &mut plan)
            }
            Layout::Sparse { offsets, blocks, rows, columns, per_head, per_batch } => {
                let (per_head, per_batch) = (per_head as i32, per_batch as i32);
                let given = RawBlocks { offsets, blocks, rows, columns, per_head, per_batch };
                kg_attention_plan_create_sparse(&raw, &given, name, &mut plan)
            }
        })?;
        Ok(Plan { plan })
    }

    /// # Safety
    /// `stream` is a cudaStream_t or null; what the plan was made for still lives.
    pub unsafe fn run(&self, stream: *mut c_void) -> Result<(), Error> {
        checked(kg_attention_plan_run(self.plan, stream))
    }

    pub fn configuration(&self) -> String {
        text_at(unsafe { kg_attention_plan_configuration(self.plan) })
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        unsafe { kg_attention_plan_destroy(self.plan) }
    }
}
