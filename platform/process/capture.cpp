// SPDX-License-Identifier: Apache-2.0
#include "platform/process/capture.hpp"

#include <algorithm>
#include <cerrno>

namespace kernelgate::process_detail {

void EndsKept::add(std::string_view bytes) {
  total_ += bytes.size();
  if (head_.size() < half_) {
    const auto taken = std::min<std::size_t>(bytes.size(), half_ - head_.size());
    head_.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
  }
  tail_.append(bytes);
  // Cut in large steps, so that a child which prints for ever costs no quadratic copying.
  if (tail_.size() > 2 * half_ + 65536) tail_.erase(0, tail_.size() - half_);
}

std::string EndsKept::text() const {
  if (!over()) return head_ + tail_;
  const auto kept = std::min<std::size_t>(tail_.size(), half_);
  const auto end = std::string_view(tail_).substr(tail_.size() - kept);
  const auto left_out = total_ - head_.size() - end.size();
  return head_ + "\n[… " + std::to_string(left_out) + " bytes left out …]\n" + std::string(end);
}

Capture::Capture(Descriptor fd, Bytes cap) : fd_(std::move(fd)), kept_(cap) {
  if (fd_.valid()) fcntl(fd_.get(), F_SETFL, fcntl(fd_.get(), F_GETFL) | O_NONBLOCK);
}

void Capture::drain() {
  char buffer[65536];
  while (fd_.valid()) {
    const auto count = read(fd_.get(), buffer, sizeof buffer);
    if (count > 0) {
      kept_.add({buffer, static_cast<std::size_t>(count)});
      if (kept_.over()) return;  // the caller decides whether to go on; poll comes back to us
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      if (count == 0 || errno != EAGAIN) fd_.reset();
      return;
    }
  }
}

}  // namespace kernelgate::process_detail
