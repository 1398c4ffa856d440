// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps what a child writes to one pipe, within a cap. Private to runner/process.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/units/strong.hpp"
#include "platform/files/descriptor.hpp"

namespace kernelgate::process_detail {

// The first and the last half of a text that may be longer than the cap.
class EndsKept {
 public:
  explicit EndsKept(Bytes cap) : half_(cap.value / 2) {}
  void add(std::string_view bytes);
  [[nodiscard]] bool over() const { return total_ > 2 * half_; }
  [[nodiscard]] std::string text() const;  // "… 1234 bytes left out …" stands between the halves

 private:
  std::uint64_t half_;
  std::uint64_t total_ = 0;
  std::string head_, tail_;
};

class Capture {
 public:
  Capture(Descriptor fd, Bytes cap);
  // Reads what is there without waiting; closes itself at the end of the stream.
  void drain();
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] bool open() const { return fd_.valid(); }
  [[nodiscard]] bool over() const { return kept_.over(); }
  [[nodiscard]] std::string text() const { return kept_.text(); }

 private:
  Descriptor fd_;
  EndsKept kept_;
};

}  // namespace kernelgate::process_detail
