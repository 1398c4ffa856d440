// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/kernel_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kernelgate {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::SizeIs;

std::vector<std::string> shortened(std::vector<std::string> names) { return short_kernel_names(names); }

TEST(KernelNames, AFunctionsOwnNameSufficesWhereNoOtherHasIt) {
  EXPECT_THAT(shortened({"void cub::detail::reduce::DeviceReduceKernel<int, 4u>(int*, int)",
                         "void kernels::(anonymous namespace)::fill<float>(float*)", "plain", "copy on the device"}),
              ElementsAre("DeviceReduceKernel", "fill", "plain", "device"));
}

TEST(KernelNames, WhatDiffersStandsBesideASharedName) {
  const std::string before = "void thrust::for_each<policy<128, 9>, ", after = ", less<int>>(unsigned long)";
  EXPECT_THAT(shortened({before + "insert_functor<int, 4>" + after, before + "find_functor<int, 8>" + after}),
              ElementsAre("for_each […insert_functor<int, 4…]", "for_each […find_functor<int, 8…]"));
}

TEST(KernelNames, ThousandsOfLettersStayShort) {
  const std::string long_type(5000, 'x');
  const auto names = shortened({"f<a" + long_type + "1>()", "f<b" + long_type + "2>()"});
  EXPECT_THAT(names.front(), SizeIs(testing::Lt(90U)));
  EXPECT_NE(names[0], names[1]);
}

TEST(KernelNames, TheSameNameTwiceIsThatOfTwoShapes) {
  EXPECT_THAT(shortened({"void f<int>(int*)", "void f<int>(int*)"}), ElementsAre("f", "f"));
}

}  // namespace
}  // namespace kernelgate
