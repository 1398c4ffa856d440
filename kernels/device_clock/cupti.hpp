// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUPTI's Activity API, found at run time: the library that uses it loads where CUPTI is missing, and says so.

#include <cupti.h>

#include <cstdint>
#include <string>

namespace kernels::device_clock {

struct Cupti {
  decltype(&cuptiGetVersion) get_version = nullptr;
  decltype(&cuptiGetResultString) get_result_string = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records = nullptr;
  std::uint32_t version = 0;
  std::string missing;  // why it cannot be used; empty: it can
};

// The one that the program itself has loaded, that of the loader's path, or the toolkit's.
[[nodiscard]] Cupti load_cupti();

}  // namespace kernels::device_clock
