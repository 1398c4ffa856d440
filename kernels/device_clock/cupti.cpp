// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_clock/cupti.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <vector>

namespace kernels::device_clock {
namespace {

constexpr std::array kNames{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr std::array kFolders{"/extras/CUPTI/lib64/", "/lib64/", "/targets/x86_64-linux/lib/", "/lib/"};
constexpr std::uint32_t kVersionLeast = 18;  // of CUDA 12.0: from there on the head of each record is as read here

void* open_cupti() {
  for (const char* name : kNames)
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  for (const char* name : kNames)
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  std::vector<std::string> roots{"/usr/local/cuda"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable)) roots.emplace_back(root);
  for (const std::string& root : roots)
    for (const char* folder : kFolders)
      for (const char* name : kNames)
        if (void* library = dlopen((root + folder + name).c_str(), RTLD_NOW)) return library;
  return nullptr;
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Cupti load_cupti() {
  Cupti out;
  void* library = open_cupti();
  if (library == nullptr) {
    out.missing = "CUPTI (libcupti.so) was not found: install the toolkit's cuda-cupti package";
    return out;
  }
  const bool found = find(library, "cuptiGetVersion", out.get_version) &&
                     find(library, "cuptiGetResultString", out.get_result_string) &&
                     find(library, "cuptiActivityRegisterCallbacks", out.register_callbacks) &&
                     find(library, "cuptiActivityEnable", out.enable) &&
                     find(library, "cuptiActivityDisable", out.disable) &&
                     find(library, "cuptiActivityFlushAll", out.flush_all) &&
                     find(library, "cuptiActivityGetNextRecord", out.next_record) &&
                     find(library, "cuptiActivityGetNumDroppedRecords", out.dropped_records);
  if (!found || out.get_version(&out.version) != CUPTI_SUCCESS) {
    out.missing = "the CUPTI found here lacks functions of the Activity API";
  } else if (out.version < kVersionLeast) {
    out.missing = "CUPTI's version is " + std::to_string(out.version) + ", and CUDA 12.0's (18) is the least";
  }
  return out;
}

}  // namespace kernels::device_clock
