// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file descriptor that closes itself, and pipes whose ends lie above the numbers a child uses. Private to runner/.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace kernelgate {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }

  // Moves the descriptor to a number of at least 10, close-on-exec.
  void raise() {
    if (fd_ < 0) return;
    const int high = fcntl(fd_, F_DUPFD_CLOEXEC, 10);
    reset();
    fd_ = high;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end, write_end;
  [[nodiscard]] bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    read_end.raise();
    write_end.raise();
    // /dev/fd/N opens the pipe anew, which a child under another user may only do if its mode lets it. Nobody else
    // can reach a pipe.
    if (write_end.valid()) fchmod(write_end.get(), 0666);
    return read_end.valid() && write_end.valid();
  }
};

}  // namespace kernelgate
