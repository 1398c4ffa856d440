// SPDX-License-Identifier: Apache-2.0
// Test support: NVIDIA's management library as a table of figures. The file named by KG_NVML_TABLE holds lines of a key
// and its values and is read at every call, so that a test may change it meanwhile. What it does not name the GPU does
// not support; "lost" makes every question fail as it does for a GPU that has fallen off the bus.

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kNotSupported = 3, kTooSmall = 7, kTimedOut = 10, kLost = 15;

std::string look(const std::string& key) {
  const char* name = std::getenv("KG_NVML_TABLE");
  std::ifstream file(name != nullptr ? name : "");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key + " ", 0) == 0) return line.substr(key.size() + 1);
    if (line == "lost") return "lost";
  }
  return {};
}

std::vector<unsigned long long> numbers(const std::string& key) {
  std::istringstream in(look(key));
  std::vector<unsigned long long> out;
  for (unsigned long long value = 0; in >> value;) out.push_back(value);
  return out;
}

template <class T>
int answer(const std::string& key, T* out) {
  const std::string text = look(key);
  if (text == "lost") return kLost;
  if (text.empty()) return kNotSupported;
  *out = static_cast<T>(std::strtoull(text.c_str(), nullptr, 0));
  return 0;
}

int answer_text(const std::string& key, char* out, unsigned size) {
  const std::string text = look(key);
  if (text.empty() || text.size() >= size) return kNotSupported;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return 0;
}

struct Utilisation {
  unsigned gpu, memory;
};
struct ProcessInfo {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
struct Violation {
  unsigned long long reference_us, violation_ns;
};
struct EventData {
  void* device;
  unsigned long long type, data;
  unsigned gpu_instance, compute_instance;
};
std::size_t events_taken = 0;
int the_gpu = 0;

}  // namespace

extern "C" {
int nvmlInit_v2() { return look("init") == "fails" ? kLost : 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetCount_v2(unsigned* out) { return answer("count", out); }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** out) {
  unsigned count = 0;
  if (answer("count", &count) != 0 || index >= count) return 2;
  *out = &the_gpu;
  return 0;
}
int nvmlSystemGetDriverVersion(char* out, unsigned size) { return answer_text("driver", out, size); }
int nvmlDeviceGetName(void*, char* out, unsigned size) { return answer_text("name", out, size); }
int nvmlDeviceGetUUID(void*, char* out, unsigned size) { return answer_text("uuid", out, size); }
int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
  const auto values = numbers("compute");
  if (values.size() != 2) return kNotSupported;
  *major = static_cast<int>(values[0]);
  *minor = static_cast<int>(values[1]);
  return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* out) { return answer("limit_mw", out); }
int nvmlDeviceGetMigMode(void*, unsigned* now, unsigned* later) {
  *later = 0;
  return answer("mig", now);
}
int nvmlDeviceGetTemperatureThreshold(void*, unsigned, unsigned* out) { return answer("slowdown_c", out); }
int nvmlDeviceGetClockInfo(void*, unsigned kind, unsigned* out) {
  return answer(kind == 1 ? "sm_mhz" : "memory_mhz", out);
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* out) { return answer("temperature_c", out); }
int nvmlDeviceGetPowerUsage(void*, unsigned* out) { return answer("power_mw", out); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* out) { return answer("reasons", out); }
int nvmlDeviceGetUtilizationRates(void*, Utilisation* out) { return answer("utilisation", &out->gpu); }
int nvmlDeviceGetTotalEccErrors(void*, unsigned kind, unsigned, unsigned long long* out) {
  return answer(kind == 0 ? "ecc_corrected" : "ecc_uncorrected", out);
}
int nvmlDeviceGetViolationStatus(void*, unsigned policy, Violation* out) {
  return answer(policy == 1 ? "thermal_ns" : "power_cap_ns", &out->violation_ns);
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* out) {
  const auto pids = numbers("processes");
  const bool fits = pids.size() <= *count;
  *count = static_cast<unsigned>(pids.size());
  if (!fits) return kTooSmall;
  for (std::size_t i = 0; i < pids.size(); ++i) out[i] = {static_cast<unsigned>(pids[i]), 0, 0, 0};
  return 0;
}
int nvmlEventSetCreate(void** set) {
  *set = &the_gpu;
  return 0;
}
int nvmlDeviceRegisterEvents(void*, unsigned long long, void*) { return look("xid").empty() ? kNotSupported : 0; }
int nvmlEventSetWait_v2(void*, EventData* out, unsigned) {
  // The first entry is how many errors there are: "0" for none yet.
  const auto errors = numbers("xid");
  if (events_taken + 1 >= errors.size()) return kTimedOut;
  *out = {&the_gpu, 0x8, errors[++events_taken], 0, 0};
  return 0;
}
int nvmlEventSetFree(void*) {
  events_taken = 0;
  return 0;
}
}
