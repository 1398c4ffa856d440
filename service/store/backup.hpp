// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies of a store's file, and whether one is whole.

#include "db/store/backup.hpp"

namespace kernelgate::service {

using db::back_up;
using db::check_integrity;

}  // namespace kernelgate::service
