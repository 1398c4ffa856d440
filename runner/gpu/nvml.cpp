// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

#include "core/units/limits.hpp"

namespace kernelgate::gpu {
namespace {

// Prototypes and structures of nvml.h that have been stable for years; every function returns 0 for success.
using Device = void*;
constexpr int kTooSmall = 7;
constexpr int kNotThere = -1;  // this version of the library has no such function

struct Utilisation {
  unsigned gpu = 0, memory = 0;  // per cent
};
struct ProcessInfo {
  unsigned pid = 0;
  unsigned long long memory = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};
struct Violation {
  unsigned long long reference_us = 0, violation_ns = 0;
};
struct EventData {
  Device device = nullptr;
  unsigned long long type = 0, data = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};
constexpr unsigned kClockSm = 1, kClockMemory = 2;
constexpr unsigned kThresholdSlowdown = 1;
constexpr unsigned kPolicyPower = 0, kPolicyThermal = 1;
constexpr unsigned long long kEventXid = 0x8;

constexpr std::array<std::pair<Reason, const char*>, 9> kReasonNames{{{kIdle, "idle"},
                                                                      {kApplicationClocks, "application_clocks"},
                                                                      {kSoftwarePowerCap, "sw_power_cap"},
                                                                      {kHardwareSlowdown, "hw_slowdown"},
                                                                      {kSyncBoost, "sync_boost"},
                                                                      {kSoftwareThermal, "sw_thermal"},
                                                                      {kHardwareThermal, "hw_thermal"},
                                                                      {kPowerBrake, "power_brake"},
                                                                      {kDisplayClocks, "display_clocks"}}};

}  // namespace

struct Gpu::Library {
  explicit Library(const std::string& file) : handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (started) (void)call<int()>("nvmlShutdown");
    if (handle) dlclose(handle);
  }

  template <class Function, class... Arguments>
  [[nodiscard]] int call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<Function*>(dlsym(handle, name));
    return function ? function(arguments...) : kNotThere;
  }
  template <class Function, class... Arguments>
  [[nodiscard]] std::optional<double> number(double scale, const char* name, Arguments... arguments) const {
    unsigned value = 0;
    if (call<Function>(name, arguments..., &value) != 0) return std::nullopt;
    return value * scale;
  }
  [[nodiscard]] std::string text(const char* name, Device device) const {
    char out[128] = {};
    return call<int(Device, char*, unsigned)>(name, device, out, 128U) == 0 ? out : "";
  }

  void* handle;
  bool started = false;
};

// The queue in which the driver puts critical errors.
struct Gpu::Events {
  Events(std::shared_ptr<Library> owner, Device device) : library(std::move(owner)) {
    if (library->call<int(Device*)>("nvmlEventSetCreate", &set) != 0) set = nullptr;
    const bool registered = set && library->call<int(Device, unsigned long long, Device)>("nvmlDeviceRegisterEvents",
                                                                                          device, kEventXid, set) == 0;
    if (!registered) release();
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  ~Events() { release(); }
  void release() {
    if (set) (void)library->call<int(Device)>("nvmlEventSetFree", set);
    set = nullptr;
  }

  std::shared_ptr<Library> library;
  Device set = nullptr;
};

Gpu::Gpu(std::shared_ptr<Library> library, void* device)
    : library_(std::move(library)), device_(device), events_(std::make_shared<Events>(library_, device_)) {}

Result<Gpu> Gpu::open(int index, const std::string& library) {
  auto nvml = std::make_shared<Library>(library);
  if (!nvml->handle) return fail(Errc::unsupported, "no NVIDIA driver is installed");
  nvml->started = nvml->call<int()>("nvmlInit_v2") == 0;
  if (!nvml->started) return fail(Errc::unsupported, "the NVIDIA driver does not answer");
  Device device = nullptr;
  if (index < 0 ||
      nvml->call<int(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2", static_cast<unsigned>(index), &device) != 0)
    return fail(Errc::not_found, "there is no GPU " + std::to_string(index));
  return Gpu(std::move(nvml), device);
}

GpuFacts Gpu::facts() const {
  GpuFacts out;
  out.model = library_->text("nvmlDeviceGetName", device_);
  out.uuid = library_->text("nvmlDeviceGetUUID", device_);
  char driver[128] = {};
  if (library_->call<int(char*, unsigned)>("nvmlSystemGetDriverVersion", driver, 128U) == 0) out.driver = driver;
  int major = 0, minor = 0;
  if (library_->call<int(Device, int*, int*)>("nvmlDeviceGetCudaComputeCapability", device_, &major, &minor) == 0)
    out.compute_capability = std::to_string(major) + "." + std::to_string(minor);
  unsigned limit_mw = 0;
  if (library_->call<int(Device, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit", device_, &limit_mw) == 0)
    out.power_limit = std::to_string((limit_mw + 500) / 1000) + " W";
  unsigned current = 0, pending = 0;
  const bool has_mig =
      library_->call<int(Device, unsigned*, unsigned*)>("nvmlDeviceGetMigMode", device_, &current, &pending) == 0;
  out.mig_mode = has_mig ? (current != 0 ? "on" : "off") : "none";
  out.slowdown_c = library_->number<int(Device, unsigned, unsigned*)>(1, "nvmlDeviceGetTemperatureThreshold", device_,
                                                                      kThresholdSlowdown);
  return out;
}

GpuReading Gpu::read_fast() const {
  GpuReading out;
  using OfKind = int(Device, unsigned, unsigned*);
  using Plain = int(Device, unsigned*);
  out.sm_mhz = library_->number<OfKind>(1, "nvmlDeviceGetClockInfo", device_, kClockSm);
  out.temperature_c = library_->number<OfKind>(1, "nvmlDeviceGetTemperature", device_, 0U);
  out.power_w = library_->number<Plain>(1e-3, "nvmlDeviceGetPowerUsage", device_);
  // Renamed in 2023; the bits are the same.
  for (const char* name : {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
    unsigned long long reasons = 0;
    if (out.reasons || library_->call<int(Device, unsigned long long*)>(name, device_, &reasons) != 0) continue;
    out.reasons = reasons;
  }
  return out;
}

GpuReading Gpu::read() const {
  GpuReading out = read_fast();
  out.memory_mhz =
      library_->number<int(Device, unsigned, unsigned*)>(1, "nvmlDeviceGetClockInfo", device_, kClockMemory);
  out.power_limit_w = library_->number<int(Device, unsigned*)>(1e-3, "nvmlDeviceGetEnforcedPowerLimit", device_);
  Utilisation utilisation;
  if (library_->call<int(Device, Utilisation*)>("nvmlDeviceGetUtilizationRates", device_, &utilisation) == 0)
    out.utilisation = utilisation.gpu / 100.0;
  const auto errors = [this](unsigned kind) -> std::optional<std::uint64_t> {
    unsigned long long count = 0;
    const int rc = library_->call<int(Device, unsigned, unsigned, unsigned long long*)>("nvmlDeviceGetTotalEccErrors",
                                                                                        device_, kind, 0U, &count);
    if (rc != 0) return std::nullopt;
    return count;
  };
  out.ecc_corrected = errors(0);
  out.ecc_uncorrected = errors(1);
  const auto slowed = [this](unsigned policy) -> std::optional<std::uint64_t> {
    Violation violation;
    if (library_->call<int(Device, unsigned, Violation*)>("nvmlDeviceGetViolationStatus", device_, policy,
                                                          &violation) != 0)
      return std::nullopt;
    return violation.violation_ns;
  };
  out.thermal_ns = slowed(kPolicyThermal);
  out.power_cap_ns = slowed(kPolicyPower);
  return out;
}

std::optional<std::vector<unsigned>> Gpu::processes() const {
  std::vector<ProcessInfo> infos(32);
  while (true) {
    auto count = static_cast<unsigned>(infos.size());
    const int rc = library_->call<int(Device, unsigned*, ProcessInfo*)>("nvmlDeviceGetComputeRunningProcesses_v3",
                                                                        device_, &count, infos.data());
    if (rc == kTooSmall && infos.size() < limits::kGpuProcessesMax) {
      infos.resize(infos.size() * 4);
      continue;
    }
    if (rc != 0) return std::nullopt;
    std::vector<unsigned> out;
    for (unsigned i = 0; i < count && i < infos.size(); ++i) out.push_back(infos[i].pid);
    return out;
  }
}

std::optional<std::vector<unsigned>> Gpu::take_errors() {
  if (!events_->set) return std::nullopt;
  std::vector<unsigned> out;
  EventData event;
  while (out.size() < 64 &&
         library_->call<int(Device, EventData*, unsigned)>("nvmlEventSetWait_v2", events_->set, &event, 0U) == 0)
    if ((event.type & kEventXid) != 0) out.push_back(static_cast<unsigned>(event.data));
  return out;
}

Status Gpu::answers() const {
  unsigned value = 0;
  const int rc = library_->call<int(Device, unsigned, unsigned*)>("nvmlDeviceGetTemperature", device_, 0U, &value);
  if (rc == 0) return {};
  return fail(Errc::unavailable, "the driver does not reach the GPU (NVML error " + std::to_string(rc) + ")");
}

int Gpu::count() const {
  unsigned count = 0;
  return library_->call<int(unsigned*)>("nvmlDeviceGetCount_v2", &count) == 0 ? static_cast<int>(count) : 0;
}

std::vector<std::pair<std::string, std::string>> gpu_environment(const Gpu& gpu) {
  const GpuFacts facts = gpu.facts();
  // The parts of a divided GPU have names of their own.
  if (gpu.count() < 2 || facts.uuid.empty() || facts.mig_mode == "on") return {};
  return {{"CUDA_VISIBLE_DEVICES", facts.uuid}};
}

std::vector<std::string> reason_names(std::uint64_t reasons) {
  std::vector<std::string> out;
  for (const auto& [bit, name] : kReasonNames)
    if ((reasons & bit) != 0) out.emplace_back(name);
  return out;
}

}  // namespace kernelgate::gpu
