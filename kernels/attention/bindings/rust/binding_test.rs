// SPDX-License-Identifier: Apache-2.0
//! Tests of the Rust module, by `rustc --test`, with CUDA_VISIBLE_DEVICES empty: every argument is looked at before the
//! library says that there is no GPU, so the structures must fit the header's.

#[allow(dead_code)]
mod kernelgate_attention;
use kernelgate_attention::{Error, Kind, Layout, Operand, Plan, Problem, Strides, Type};

#[repr(align(16))]
struct Memory([u8; 64]);
static MEMORY: Memory = Memory([0; 64]);

fn sound() -> Problem {
    let strides = Strides { batch: 2 * 128 * 64, head: 128 * 64, row: 64 };
    let operand = Operand { address: MEMORY.0.as_ptr().cast(), strides };
    Problem { data_type: Type::Bf16, batch: 1, heads: 2, key_heads: 2, queries: 128, keys: 128, depth: 64,
              causal: true, diagonal: 0, scale: 0.125, q: operand, k: operand, v: operand, o: operand }
}

fn offsets() -> *const i32 {
    MEMORY.0.as_ptr().cast()
}

fn error_of(problem: Problem, layout: Layout, configuration: Option<&str>) -> Error {
    unsafe { Plan::new(&problem, layout, configuration) }.err().expect("a GPU answered")
}

#[test]
fn the_error_says_that_there_is_no_card() {
    let (query_offsets, key_offsets, blocks) = (offsets(), offsets(), offsets());
    for layout in [
        Layout::Dense,
        Layout::Packed { query_offsets, key_offsets, longest_queries: 128, longest_keys: 128 },
        Layout::Sparse { offsets: offsets(), blocks, rows: 128, columns: 64, per_head: true, per_batch: false },
    ] {
        let error = error_of(sound(), layout, None);
        assert_eq!(error.kind, Kind::NoDevice, "{:?}: {}", layout, error);
        assert!(error.to_string().starts_with("no CUDA device can be used: "), "{}", error);
    }
}

#[test]
fn arguments_are_looked_at_first() {
    let good = sound();
    let wide = Strides { row: 65, ..good.k.strides };
    let nowhere = Operand { address: std::ptr::null(), ..good.v };
    for (problem, says) in [
        (Problem { key_heads: 3, ..good }, "multiple of the heads of keys"),
        (Problem { depth: 80, ..good }, "64, 128 or 256"),
        (Problem { scale: 0.0, ..good }, "above zero"),
        (Problem { k: Operand { strides: wide, ..good.k }, ..good }, "multiples of 8"),
        (Problem { v: nowhere, ..good }, "v is missing"),
    ] {
        let error = error_of(problem, Layout::Dense, None);
        assert_eq!(error.kind, Kind::Invalid);
        assert!(error.text.contains(says), "{} does not say {}", error, says);
    }
}

#[test]
fn layouts_and_names_are_looked_at() {
    let (query_offsets, key_offsets, blocks) = (offsets(), offsets(), offsets());
    let packed = Layout::Packed { query_offsets, key_offsets, longest_queries: 128, longest_keys: 0 };
    let sparse = Layout::Sparse { offsets: offsets(), blocks, rows: 128, columns: 32, per_head: true, per_batch: true };
    assert!(error_of(sound(), packed, None).text.contains("longest sequence"));
    assert!(error_of(sound(), sparse, None).text.contains("multiple of 64 keys"));
    assert!(error_of(sound(), Layout::Dense, Some("wgmma/packed/128x128")).text.contains("another layout"));
    assert!(error_of(sound(), Layout::Dense, Some("no/such")).text.contains("is no configuration"));
    assert_eq!(error_of(sound(), Layout::Dense, Some("a\0b")).kind, Kind::Invalid);
}
