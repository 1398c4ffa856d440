// SPDX-License-Identifier: Apache-2.0
// libkernelgate_device_clock.so: loaded by the CUDA driver into any program that CUDA_INJECTION64_PATH names it for. It
// asks CUPTI for start and end of every kernel, copy and fill, and writes what it saw into the folder that
// KERNELGATE_DEVICE_CLOCK names, one file a process: four times a second, since a program may end by a signal, and at
// its end. It changes nothing in the program and never fails it: what goes wrong is said in the file.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "kernels/device_clock/cupti.hpp"
#include "kernels/device_clock/tally.hpp"

namespace kernels::device_clock {
namespace {

constexpr std::size_t kBufferBytes = 1u << 20;  // some 5,000 records
constexpr int kBuffersMax = 64;                 // given to CUPTI at a time: beyond, it drops records and counts them
constexpr std::chrono::milliseconds kWriteEvery{250};

// Lives as long as the process: CUPTI's threads may call back while its end is under way.
struct Recorder {
  Cupti cupti;
  std::string path;
  pid_t owner = 0;
  std::mutex tally_lock;
  Tally tally;
  std::atomic<int> buffers{0};
  std::mutex write_lock;
  std::condition_variable wake;
  std::uint64_t written = 0;
  bool ended = false;
};

Recorder& recorder() {
  static Recorder& only = *std::make_unique<Recorder>().release();
  return only;
}

// A reader sees the last text or the one before, never half of one.
void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".draft";
  const int file = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) return;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(file, text.data() + done, text.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  close(file);
  if (done == text.size())
    (void)std::rename(draft.c_str(), path.c_str());
  else
    (void)unlink(draft.c_str());
}

void write_tally(Recorder& all, bool ended) {
  std::string text;
  {
    const std::lock_guard lock(all.tally_lock);
    if (!ended && all.tally.launches() == all.written) return;
    all.written = all.tally.launches();
    text = all.tally.text(all.cupti.version, ended);
  }
  write_file(all.path, text);
}

Launch kernel_of(const CUpti_Activity* record) {
  const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel9*>(record);
  return {.work = Work::kernel,
          .name = kernel.name == nullptr ? "" : kernel.name,
          .grid = {kernel.gridX, kernel.gridY, kernel.gridZ},
          .block = {kernel.blockX, kernel.blockY, kernel.blockZ},
          .in_graph = kernel.graphNodeId != 0,
          .start_ns = kernel.start,
          .end_ns = kernel.end};
}

const char* direction_of(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD: return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH: return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "on the device";
    default: return "other";
  }
}

Launch copy_of(const CUpti_Activity* record) {
  const auto& copy = *reinterpret_cast<const CUpti_ActivityMemcpy5*>(record);
  return {.work = Work::copy,
          .name = direction_of(copy.copyKind),
          .grid = {static_cast<std::int64_t>(copy.bytes), 0, 0},
          .block = {},
          .in_graph = copy.graphNodeId != 0,
          .start_ns = copy.start,
          .end_ns = copy.end};
}

Launch fill_of(const CUpti_Activity* record) {
  const auto& fill = *reinterpret_cast<const CUpti_ActivityMemset4*>(record);
  return {.work = Work::fill,
          .name = "fill",
          .grid = {static_cast<std::int64_t>(fill.bytes), 0, 0},
          .block = {},
          .in_graph = fill.graphNodeId != 0,
          .start_ns = fill.start,
          .end_ns = fill.end};
}

void take_record(Tally& tally, const CUpti_Activity* record) {
  switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: tally.add(kernel_of(record)); break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: tally.add(copy_of(record)); break;
    case CUPTI_ACTIVITY_KIND_MEMSET: tally.add(fill_of(record)); break;
    default: break;
  }
}

void CUPTIAPI buffer_wanted(uint8_t** buffer, std::size_t* size, std::size_t* records_max) {
  Recorder& all = recorder();
  *records_max = 0;
  *buffer = nullptr;
  *size = 0;
  if (all.buffers.load() >= kBuffersMax) return;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(64, kBufferBytes));
  if (*buffer == nullptr) return;
  *size = kBufferBytes;
  ++all.buffers;
}

void CUPTIAPI buffer_full(CUcontext context, uint32_t stream, uint8_t* buffer, std::size_t, std::size_t valid) {
  Recorder& all = recorder();
  if (buffer == nullptr) return;
  try {
    const std::lock_guard lock(all.tally_lock);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && all.cupti.next_record(buffer, valid, &record) == CUPTI_SUCCESS) take_record(all.tally, record);
    std::size_t dropped = 0;
    if (all.cupti.dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) all.tally.lose(dropped);
  } catch (const std::exception&) {  // out of memory: the program's own matter, not ours
  }
  std::free(buffer);
  --all.buffers;
}

void at_end() {
  Recorder& all = recorder();
  if (getpid() != all.owner) return;  // a child that was forked has no device
  const std::lock_guard lock(all.write_lock);
  all.ended = true;
  (void)all.cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  write_tally(all, true);
}

void keep_writing() {
  Recorder& all = recorder();
  std::unique_lock lock(all.write_lock);
  while (!all.ended) {
    all.wake.wait_for(lock, kWriteEvery);
    if (all.ended) return;
    (void)all.cupti.flush_all(0);
    write_tally(all, false);
  }
}

std::string begin(Recorder& all) {
  if (!all.cupti.missing.empty()) return all.cupti.missing;
  const auto refusal = [&all](const char* what, CUptiResult result) {
    const char* text = nullptr;
    (void)all.cupti.get_result_string(result, &text);
    return std::string("CUPTI refused ") + what + ": " + (text == nullptr ? "no reason given" : text);
  };
  if (const CUptiResult result = all.cupti.register_callbacks(buffer_wanted, buffer_full); result != CUPTI_SUCCESS)
    return refusal("the callbacks", result);
  constexpr std::pair<CUpti_ActivityKind, const char*> kKinds[] = {
      {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "the times of kernels"},
      {CUPTI_ACTIVITY_KIND_MEMCPY, "the times of copies"},
      {CUPTI_ACTIVITY_KIND_MEMSET, "the times of fills"}};
  for (const auto& [kind, what] : kKinds)
    if (const CUptiResult result = all.cupti.enable(kind); result != CUPTI_SUCCESS) return refusal(what, result);
  return {};
}

}  // namespace
}  // namespace kernels::device_clock

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  using namespace kernels::device_clock;
  const char* folder = std::getenv("KERNELGATE_DEVICE_CLOCK");
  if (folder == nullptr || *folder == '\0') return 1;
  try {
    Recorder& all = recorder();
    if (all.owner == getpid()) return 1;
    all.owner = getpid();
    all.path = std::string(folder) + "/" + std::to_string(all.owner) + ".txt";
    all.cupti = load_cupti();
    if (const std::string refused = begin(all); !refused.empty()) {
      write_file(all.path, refusal_text(refused));
      return 1;
    }
    (void)std::atexit(at_end);
    std::thread(keep_writing).detach();
  } catch (const std::exception&) {  // without memory or threads the program goes on unwatched
  }
  return 1;
}
