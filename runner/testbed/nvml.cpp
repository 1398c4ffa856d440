// SPDX-License-Identifier: Apache-2.0
#include "runner/testbed/nvml.hpp"

#include <dlfcn.h>

#include <memory>

namespace kernelgate::testbed_detail {
namespace {

// Prototypes of nvml.h that have been stable since version 4; every function returns 0 for success.
using Device = void*;

class Library {
 public:
  Library() : handle_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (started_) (void)call<int()>("nvmlShutdown");
    if (handle_) dlclose(handle_);
  }
  [[nodiscard]] bool loaded() const { return handle_ != nullptr; }
  [[nodiscard]] bool start() { return started_ = call<int()>("nvmlInit_v2") == 0; }

  // A function that this version lacks fails like one that the card does not support.
  template <class Function, class... Arguments>
  [[nodiscard]] int call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<Function*>(dlsym(handle_, name));
    return function ? function(arguments...) : -1;
  }

 private:
  void* handle_;
  bool started_ = false;
};

std::string watts(unsigned milliwatts) { return std::to_string((milliwatts + 500) / 1000) + " W"; }

}  // namespace

std::optional<CardFacts> read_card(int index, std::string& why_not) {
  Library nvml;
  why_not = "no NVIDIA driver is installed";
  if (!nvml.loaded()) return std::nullopt;
  why_not = "the NVIDIA driver does not answer";
  if (!nvml.start()) return std::nullopt;
  why_not = "there is no GPU " + std::to_string(index);
  Device card = nullptr;
  if (nvml.call<int(unsigned, Device*)>("nvmlDeviceGetHandleByIndex_v2", static_cast<unsigned>(index), &card) != 0)
    return std::nullopt;

  CardFacts facts;
  char text[128] = {};
  if (nvml.call<int(Device, char*, unsigned)>("nvmlDeviceGetName", card, text, 128U) == 0) facts.model = text;
  if (nvml.call<int(char*, unsigned)>("nvmlSystemGetDriverVersion", text, 128U) == 0) facts.driver = text;
  int major = 0, minor = 0;
  if (nvml.call<int(Device, int*, int*)>("nvmlDeviceGetCudaComputeCapability", card, &major, &minor) == 0)
    facts.compute_capability = std::to_string(major) + "." + std::to_string(minor);
  unsigned limit = 0;
  if (nvml.call<int(Device, unsigned*)>("nvmlDeviceGetEnforcedPowerLimit", card, &limit) == 0)
    facts.power_limit = watts(limit);
  unsigned current = 0, pending = 0;
  const bool has_mig =
      nvml.call<int(Device, unsigned*, unsigned*)>("nvmlDeviceGetMigMode", card, &current, &pending) == 0;
  facts.mig_mode = has_mig ? (current != 0 ? "on" : "off") : "none";
  return facts;
}

}  // namespace kernelgate::testbed_detail
