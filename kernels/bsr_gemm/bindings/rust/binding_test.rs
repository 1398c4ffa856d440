// SPDX-License-Identifier: Apache-2.0
//! Tests of the Rust module, by `rustc --test`. `with_a_card` multiplies and checks each element against double
//! precision; `without_a_card` is run with CUDA_VISIBLE_DEVICES empty.

#[allow(dead_code)]
mod kernelgate_bsr;
use kernelgate_bsr::{Error, Kind, Pattern, Plan, Type};

/// Numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
    /// A multiple of 1/64 in [-1, 1]: both types hold it exactly.
    fn element(&mut self) -> f64 {
        (self.next() % 129) as f64 / 64.0 - 1.0
    }
}

/// Exponent bits, mantissa bits, bias.
fn form(data_type: Type) -> (u32, i32) {
    match data_type {
        Type::Fp16 => (10, 15),
        Type::Bf16 => (7, 127),
    }
}

fn narrowed(number: f64, data_type: Type) -> u16 {
    if number == 0.0 {
        return 0;
    }
    let (mantissa_bits, bias) = form(data_type);
    let exponent = number.abs().log2().floor() as i32;
    let mantissa = (number.abs() / 2f64.powi(exponent) - 1.0) * 2f64.powi(mantissa_bits as i32);
    let sign = if number < 0.0 { 0x8000 } else { 0 };
    sign | (((exponent + bias) as u16) << mantissa_bits) | mantissa as u16
}

fn widened(bits: u16, data_type: Type) -> f64 {
    let (mantissa_bits, bias) = form(data_type);
    let exponent = ((bits & 0x7fff) >> mantissa_bits) as i32;
    let fraction = (bits & ((1 << mantissa_bits) - 1)) as f64 / 2f64.powi(mantissa_bits as i32);
    let size = if exponent == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(exponent - bias) };
    if bits & 0x8000 != 0 { -size } else { size }
}

fn check(data_type: Type, rows: i32, n: i32, columns: i32, block: (i32, i32), seed: u64) -> Result<(), Error> {
    let mut random = Random(seed);
    let (mut row_begin, mut block_column) = (vec![0], vec![]);
    for _ in 0..rows / block.0 {
        block_column.extend((0..columns / block.1).filter(|_| random.next() % 2 == 0));
        row_begin.push(block_column.len() as i32);
    }
    let (height, width, n_wide) = (block.0 as usize, block.1 as usize, n as usize);
    let values: Vec<f64> = (0..block_column.len() * height * width).map(|_| random.element()).collect();
    let b: Vec<f64> = (0..columns as usize * n_wide).map(|_| random.element()).collect();
    let bits = |numbers: &[f64]| -> Vec<u16> { numbers.iter().map(|number| narrowed(*number, data_type)).collect() };
    let pattern = Pattern { rows, columns, block, row_begin: &row_begin, block_column: &block_column };
    let mut plan = Plan::new(&pattern, n, data_type)?;
    let c = plan.multiply(&bits(&values), &bits(&b))?;
    assert!(plan.decision().contains(&plan.configuration()) && !plan.configuration().is_empty());
    let rounding = if data_type == Type::Fp16 { 2f64.powi(-11) } else { 2f64.powi(-8) };
    for (at, found) in c.iter().enumerate() {
        let (row, column) = (at / n_wide, at % n_wide);
        let (mut sum, mut magnitude) = (0.0, 0.0);
        for block in row_begin[row / height]..row_begin[row / height + 1] {
            for k in 0..width {
                let left = values[(block as usize * height + row % height) * width + k];
                let term = left * b[(block_column[block as usize] as usize * width + k) * n_wide + column];
                sum += term;
                magnitude += f64::abs(term);
            }
        }
        let error = (widened(*found, data_type) - sum).abs();
        assert!(error <= rounding * f64::abs(sum) + 1e-5 * magnitude + 2e-8,
                "seed {} element {}: {} in place of {}", seed, at, widened(*found, data_type), sum);
    }
    Ok(())
}

#[test]
fn numbers_survive_their_16_bits() {
    for data_type in [Type::Fp16, Type::Bf16] {
        for step in -64..=64 {
            let number = step as f64 / 64.0;
            assert_eq!(widened(narrowed(number, data_type), data_type), number);
        }
    }
}

#[test]
fn with_a_card_each_element_is_right() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    check(Type::Fp16, 128, 72, 192, (64, 64), seed).unwrap();
    check(Type::Bf16, 96, 64, 128, (32, 32), seed).unwrap();
    check(Type::Fp16, 105, 33, 40, (21, 5), seed).unwrap();
}

#[test]
fn with_a_card_what_is_pinned_is_taken() {
    let pattern = Pattern { rows: 32, columns: 32, block: (32, 32), row_begin: &[0, 1], block_column: &[0] };
    let mut plan = Plan::new(&pattern, 8, Type::Fp16).unwrap();
    let (values, b) = (vec![narrowed(1.0, Type::Fp16); 1024], vec![narrowed(0.5, Type::Fp16); 256]);
    plan.pin("vectorized").unwrap();
    assert_eq!(plan.multiply(&values, &b).unwrap(), vec![narrowed(16.0, Type::Fp16); 256]);
    assert_eq!(plan.configuration(), "vectorized");
    plan.pin("no/such").unwrap();
    assert_eq!(plan.multiply(&values, &b).unwrap_err().kind, Kind::Failed);
    assert_eq!(plan.multiply(&values[1..], &b).unwrap_err().kind, Kind::Invalid);
    assert_eq!(unsafe { plan.run(std::ptr::null_mut()) }.unwrap_err().kind, Kind::Invalid);
}

#[test]
fn without_a_card_the_error_says_so() {
    let pattern = Pattern { rows: 64, columns: 64, block: (32, 32), row_begin: &[0, 1, 2], block_column: &[1, 0] };
    let error = Plan::new(&pattern, 8, Type::Fp16).err().expect("a GPU answered");
    assert_eq!(error.kind, Kind::NoDevice);
    assert!(error.to_string().starts_with("no CUDA device can be used: "), "{}", error);
}

#[test]
fn without_a_card_arguments_are_looked_at_first() {
    let good = Pattern { rows: 64, columns: 64, block: (32, 32), row_begin: &[0, 1, 2], block_column: &[1, 0] };
    for pattern in [
        Pattern { block: (48, 32), row_begin: &[0, 2], ..good },
        Pattern { block: (0, 32), ..good },
        Pattern { block: (32, i32::MIN), ..good },
        Pattern { block_column: &[0, 2], ..good },
        Pattern { block_column: &[0], ..good },
        Pattern { row_begin: &[], ..good },
    ] {
        assert_eq!(Plan::new(&pattern, 8, Type::Fp16).err().unwrap().kind, Kind::Invalid, "{:?}", pattern);
    }
}
