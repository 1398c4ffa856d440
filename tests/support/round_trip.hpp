// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests of messages: what is written and read again is written alike.

#include <gtest/gtest.h>

#include <string>

#include "core/wire/codec.hpp"

namespace kernelgate::wire {

template <class Message>
void expect_round_trip(const Message& message) {
  const std::string text = encode(message);
  const auto again = decode<Message>(text);
  ASSERT_TRUE(again) << to_string(again.error()) << text;
  EXPECT_EQ(encode(*again), text);
}

}  // namespace kernelgate::wire
