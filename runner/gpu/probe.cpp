// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/probe.hpp"

#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <utility>

#include "runner/gpu/health.hpp"

namespace kernelgate::gpu {
namespace {

// Over this long after a process of ours the driver's utilisation may still be that process's.
constexpr std::chrono::seconds kUtilisationMemory{2};
// A process that just ended is listed a moment longer.
constexpr std::chrono::milliseconds kListingMemory{100};

}  // namespace

GpuProbe::GpuProbe(Gpu gpu, GpuProbeOptions options)
    : gpu_(std::move(gpu)), facts_(gpu_.facts()), options_(std::move(options)) {}

GpuProbe::~GpuProbe() = default;

GpuUsers GpuProbe::users(int started) const {
  const auto listed = gpu_.processes();
  if (!listed) return {};
  GpuUsers out = sort_users(*listed, started, getpid());
  if (out.foreign == 0) return out;
  std::this_thread::sleep_for(kListingMemory);
  const auto again = gpu_.processes();
  return again ? sort_users(*again, started, getpid()) : out;
}

Status GpuProbe::note_trouble(Status status) {
  if (!status && status.error().code == Errc::unavailable) trouble_ = status.error().what;
  return status;
}

Status GpuProbe::hold(const Say& say, const std::stop_token& stop) {
  if (lock_) return {};
  const auto look = [this]() -> std::string {
    lock_ = try_lock_gpu(facts_.uuid);
    if (lock_) return {};
    return "another kernelgate measures on the GPU (" + lock_file_of(facts_.uuid).string() + " is locked)";
  };
  if (auto locked = note_trouble(wait_until_free(look, say, stop, options_.patience)); !locked) return locked;
  auto admitted = admit(say, stop);
  if (!admitted) let_go();
  return admitted;
}

void GpuProbe::let_go() { lock_.reset(); }

Status GpuProbe::admit(const Say& say, const std::stop_token& stop) {
  if (ask_health_)
    if (auto well = after_failure(stop); !well) return well;
  const auto look = [this] {
    const bool just_used = last_end_ && std::chrono::steady_clock::now() - *last_end_ < kUtilisationMemory;
    return obstacle(facts_, gpu_.read(), users(0), just_used);
  };
  return note_trouble(wait_until_free(look, say, stop, options_.patience));
}

void GpuProbe::process_starts() {
  (void)gpu_.take_errors();  // of earlier processes
  window_ = {};
  window_.before = gpu_.read();
  watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
}

void GpuProbe::watch(const std::stop_token& over) {
  std::condition_variable_any pause;
  std::mutex mutex;
  while (true) {
    {
      std::unique_lock lock(mutex);
      pause.wait_for(lock, over, options_.read_every, [] { return false; });
    }
    if (over.stop_requested()) return;
    const GpuReading reading = gpu_.read_fast();
    GpuUsers seen;
    if (const auto listed = gpu_.processes()) seen = sort_users(*listed, 1, getpid());
    const std::lock_guard lock(mutex_);
    window_.during.push_back(reading);
    if (seen.known && (!window_.users.known || seen.foreign > window_.users.foreign ||
                       (seen.foreign == window_.users.foreign && seen.ours > window_.users.ours)))
      window_.users = seen;
  }
}

DeviceWindow GpuProbe::process_ended() {
  watcher_ = std::jthread();  // stops it and waits
  last_end_ = std::chrono::steady_clock::now();
  window_.after = gpu_.read();
  window_.errors = gpu_.take_errors();
  // Under a number that cannot be seen here the process that just ended may be listed for a moment more.
  if (const GpuUsers now = users(1); now.foreign > window_.users.foreign || !window_.users.known) window_.users = now;
  if (window_.errors)
    for (const unsigned xid : *window_.errors) ask_health_ = ask_health_ || !is_kernels_own(xid);
  DeviceWindow out;
  out.disturbance = disturbance_of(window_);
  out.disturbed = !out.disturbance.empty();
  out.state_json = state_json(facts_, window_, options_.price_per_hour);
  out.sm_mhz = loaded_clock_mhz(window_);
  return out;
}

Status GpuProbe::after_failure(const std::stop_token& stop) {
  const auto health = check_health(gpu_, find_probe(kHealthProgram, options_.probe_folder), stop);
  if (!health) return pass_on(health);
  ask_health_ = !health->works;
  if (health->works) return {};
  return note_trouble(fail(Errc::unavailable, "the GPU is unhealthy: " + health->text, facts_.uuid,
                           "look at the driver's log; a reset or a reboot may be needed"));
}

bool GpuProbe::recovered(const std::stop_token& stop) {
  if (trouble_.empty()) return true;
  const auto health = check_health(gpu_, find_probe(kHealthProgram, options_.probe_folder), stop);
  if (!health || !health->works || !try_lock_gpu(facts_.uuid)) return false;
  if (!obstacle(facts_, gpu_.read(), users(0), false).empty()) return false;
  ask_health_ = false;
  trouble_.clear();
  return true;
}

std::unique_ptr<DisturbanceProbe> make_probe(int index, GpuProbeOptions options) {
  auto gpu = Gpu::open(index);
  if (!gpu) return std::make_unique<CpuProbe>(options.price_per_hour);
  return std::make_unique<GpuProbe>(std::move(*gpu), std::move(options));
}

}  // namespace kernelgate::gpu
