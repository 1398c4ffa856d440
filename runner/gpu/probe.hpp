// SPDX-License-Identifier: Apache-2.0
#pragma once

// Watches one GPU for whoever measures on it: the lock, admission before a pair, readings round and during a process,
// health after a failure. One caller at a time; a thread of its own reads the GPU while a process runs.

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "runner/gpu/admission.hpp"
#include "runner/gpu/lock.hpp"
#include "runner/gpu/state.hpp"
#include "runner/measure/disturbance.hpp"

namespace kernelgate::gpu {

struct GpuProbeOptions {
  std::filesystem::path probe_folder{};  // of our helper programs; empty: beside the running program
  double price_per_hour = 0;             // of the GPU; 0: not known
  std::chrono::milliseconds patience = limits::kGpuWaitMax;
  std::chrono::milliseconds read_every{100};  // slow enough to cost the host nothing
};

class GpuProbe final : public DisturbanceProbe {
 public:
  GpuProbe(Gpu gpu, GpuProbeOptions options);
  ~GpuProbe() override;

  [[nodiscard]] Status hold(const Say& say, const std::stop_token& stop) override;
  void let_go() override;
  [[nodiscard]] Status admit(const Say& say, const std::stop_token& stop) override;
  void process_starts() override;
  DeviceWindow process_ended() override;
  [[nodiscard]] Status after_failure(const std::stop_token& stop) override;
  [[nodiscard]] std::string trouble() const override { return trouble_; }
  // Asks a GPU in trouble whether it is well again.
  [[nodiscard]] bool recovered(const std::stop_token& stop) override;

 private:
  [[nodiscard]] GpuUsers users(int started) const;
  void watch(const std::stop_token& over);
  [[nodiscard]] Status note_trouble(Status status);

  Gpu gpu_;
  const GpuFacts facts_;
  const GpuProbeOptions options_;
  std::optional<FileLock> lock_;
  std::string trouble_;
  bool ask_health_ = false;
  std::optional<std::chrono::steady_clock::time_point> last_end_;
  std::mutex mutex_;  // guards window_ while the watcher runs
  GpuWindow window_;
  std::jthread watcher_;
};

// The probe for GPU number `index` of this machine; one that is never disturbed where there is no such GPU.
[[nodiscard]] std::unique_ptr<DisturbanceProbe> make_probe(int index, GpuProbeOptions options);

}  // namespace kernelgate::gpu
