# SPDX-License-Identifier: Apache-2.0
"""Multiplies on a GPU through the Python module, and checks each element against double precision."""
import random
import struct
import sys
import unittest

import kernelgate_bsr

SHAPES = [  # dtype, rows, n, columns, block
    ("fp16", 128, 72, 192, (64, 64)),
    ("bf16", 96, 64, 128, (32, 32)),
    ("fp16", 105, 33, 40, (21, 5)),
]
ROUNDING = {"fp16": 2.0 ** -11, "bf16": 2.0 ** -8}
SUMS = 1e-5  # fp32 sums in any order, of the sum of magnitudes


def packed(numbers, dtype):
    if dtype == "fp16":
        return struct.pack(f"<{len(numbers)}e", *numbers)
    return b"".join(struct.pack("<f", number)[2:] for number in numbers)  # exact: the numbers have few bits


def unpacked(data, dtype):
    if dtype == "fp16":
        return struct.unpack(f"<{len(data) // 2}e", data)
    return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]


def random_pattern(generator, rows, columns, block):
    row_begin, block_column = [0], []
    for _ in range(rows // block[0]):
        block_column += [column for column in range(columns // block[1]) if generator.random() < 0.5]
        row_begin.append(len(block_column))
    return row_begin, block_column


def product(pattern, block, values, b, n):
    """Sums and sums of magnitudes, row by row."""
    row_begin, block_column = pattern
    for block_row in range(len(row_begin) - 1):
        for row in range(block[0]):
            sums, magnitudes = [0.0] * n, [0.0] * n
            for at in range(row_begin[block_row], row_begin[block_row + 1]):
                for k in range(block[1]):
                    a = values[(at * block[0] + row) * block[1] + k]
                    start = (block_column[at] * block[1] + k) * n
                    for column in range(n):
                        term = a * b[start + column]
                        sums[column] += term
                        magnitudes[column] += abs(term)
            yield from zip(sums, magnitudes)


class Multiply(unittest.TestCase):
    def test_each_element_against_double_precision(self):
        seed = random.SystemRandom().getrandbits(32)
        for dtype, rows, n, columns, block in SHAPES:
            with self.subTest(dtype=dtype, rows=rows, n=n, columns=columns, block=block, seed=seed):
                generator = random.Random(seed)
                pattern = random_pattern(generator, rows, columns, block)
                values, b = ([generator.randint(-64, 64) / 64 for _ in range(count)]
                             for count in (len(pattern[1]) * block[0] * block[1], columns * n))
                with kernelgate_bsr.Plan(rows, columns, block, *pattern, n, dtype) as plan:
                    out = unpacked(plan.multiply(packed(values, dtype), packed(b, dtype)), dtype)
                    self.assertIn(plan.configuration, plan.decision)
                    self.assertNotEqual(plan.configuration, "")
                self.assertEqual(len(out), rows * n)
                for found, (wanted, magnitude) in zip(out, product(pattern, block, values, b, n)):
                    self.assertLessEqual(abs(found - wanted), ROUNDING[dtype] * abs(wanted) + SUMS * magnitude + 2e-8)

    def test_a_pinned_configuration_is_taken(self):
        values, b = packed([1.0] * 1024, "fp16"), packed([0.5] * 256, "fp16")
        with kernelgate_bsr.Plan(32, 32, (32, 32), [0, 1], [0], 8, "fp16") as plan:
            plan.pin("vectorized")
            self.assertEqual(set(unpacked(plan.multiply(values, b), "fp16")), {16.0})
            self.assertEqual(plan.configuration, "vectorized")
            plan.pin("no/such")
            with self.assertRaisesRegex(kernelgate_bsr.Failed, "there is no configuration no/such"):
                plan.multiply(values, b)

    def test_running_before_binding_is_refused(self):
        with kernelgate_bsr.Plan(32, 32, (32, 32), [0, 0], [], 8) as plan:
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "not bound"):
                plan.run()
            self.assertEqual(plan.multiply(b"", bytes(512)), bytes(512))
            self.assertEqual(plan.configuration, "clear")


if __name__ == "__main__":
    sys.exit(unittest.main())
