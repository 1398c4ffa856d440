# SPDX-License-Identifier: Apache-2.0
"""Without a GPU the library still loads, and says so in an exception. Run with CUDA_VISIBLE_DEVICES empty."""
import ctypes
import sys
import unittest

import kernelgate_bsr


class NoDevice(unittest.TestCase):
    def test_it_is_an_exception_of_its_own(self):
        with self.assertRaisesRegex(kernelgate_bsr.NoDevice, "no CUDA device can be used: cudaError"):
            kernelgate_bsr.Plan(64, 64, (32, 32), [0, 1, 2], [1, 0], 8, "fp16")

    def test_arguments_are_looked_at_first(self):
        for arguments in ((64, 64, (48, 32), [0, 1], [1], 8), (64, 64, (32, 32), [0, 1, 2], [0, 2], 8),
                          (64, 64, (32, 32), [0, 1], [0], 8), (64, 64, (32, 32), [0, 0, 0], [], -1),
                          (64, 64, (32, 32), [0, 0, 0], [], 8, "fp8"), (-32, 64, (32, 32), [], [], 8),
                          (64, 64, (32,), [0, 1, 2], [1, 0], 8), (64, 64, (32, 32, 32), [0, 1, 2], [1, 0], 8)):
            with self.assertRaises(kernelgate_bsr.InvalidArgument, msg=arguments):
                kernelgate_bsr.Plan(*arguments)

    def test_numbers_over_32_bits_are_not_cut(self):
        more = 2 ** 32
        for arguments in ((64, 64, (32, 32), [0, 1, 2], [1, 0], more + 8),
                          (64, more + 64, (32, 32), [0, 1, 2], [1, 0], 8),
                          (64, 64, (32, more + 32), [0, 1, 2], [1, 0], 8),
                          (64, 64, (32, 32), [0, more + 1, 2], [1, 0], 8),
                          (64, 64, (32, 32), [0, 1, 2], [1, more], 8)):
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "32 bits", msg=arguments):
                kernelgate_bsr.Plan(*arguments)

    def test_integers_of_arrays_become_pythons_own(self):
        class Word:  # as numpy's: an integer to Python, whose own sums and products would wrap
            def __init__(self, value):
                self.value = value

            def __index__(self):
                return self.value

        numbers = [Word(number) for number in range(3)]
        with self.assertRaises(kernelgate_bsr.NoDevice):
            kernelgate_bsr.Plan(Word(64), Word(64), (Word(32), Word(32)), numbers, [numbers[1], numbers[0]], Word(8))
        for arguments in ((64.0, 64, (32, 32), [0, 1, 2], [1, 0], 8), (64, 64, "ab", [0, 1, 2], [1, 0], 8),
                          (64, 64, (32, 32), [0, 1, 2.0], [1, 0], 8), (64, 64, 32, [0, 1, 2], [1, 0], 8)):
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "integers are needed", msg=arguments):
                kernelgate_bsr.Plan(*arguments)

    def test_buffers_are_whole_and_of_the_right_length(self):
        empty = (ctypes.c_uint16 * 8 * 0)()
        self.assertIsNone(kernelgate_bsr._elements(empty, 0, "values"))
        for wrong in (b"123", memoryview(bytes(8))[::2], [1, 2], None):
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "^b (has|cannot be read)", msg=wrong):
                kernelgate_bsr._elements(wrong, 2, "b")

    def test_a_buffer_of_the_host_is_no_address(self):
        for given in (b"12345678", bytearray(8), 1.5, -1, 2 ** 64):
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "values is no address", msg=given):
                kernelgate_bsr._address(given, "values")

    def test_a_library_that_is_missing_says_how_to_name_it(self):
        with self.assertRaisesRegex(kernelgate_bsr.LibraryMissing, "KERNELGATE_BSR_LIBRARY"):
            kernelgate_bsr.load("/no/such/libkernelgate_bsr.so")


if __name__ == "__main__":
    sys.exit(unittest.main())
