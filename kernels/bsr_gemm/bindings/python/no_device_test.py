# SPDX-License-Identifier: Apache-2.0
"""Without a card the library still loads, and says so in an exception. Run with CUDA_VISIBLE_DEVICES empty."""
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

    def test_a_buffer_of_the_host_is_no_address(self):
        for given in (b"12345678", bytearray(8), 1.5, -1, 2 ** 64):
            with self.assertRaisesRegex(kernelgate_bsr.InvalidArgument, "values is no address", msg=given):
                kernelgate_bsr._address(given, "values")

    def test_a_library_that_is_missing_says_how_to_name_it(self):
        with self.assertRaisesRegex(kernelgate_bsr.LibraryMissing, "KERNELGATE_BSR_LIBRARY"):
            kernelgate_bsr.load("/no/such/libkernelgate_bsr.so")


if __name__ == "__main__":
    sys.exit(unittest.main())
