// SPDX-License-Identifier: Apache-2.0
#include "db/store/work.hpp"

#include <memory>
#include <string>

namespace kernelgate::db {

Error error_of(const std::exception_ptr& caught) {
  try {
    std::rethrow_exception(caught);
  } catch (const DbError& fault) {
    return fault.error();
  } catch (const std::bad_alloc&) {
    return Error{Errc::unavailable, "the store: out of memory", {}, {}};
  } catch (const std::exception& other) {
    return Error{Errc::io, std::string("the store: ") + other.what(), {}, {}};
  } catch (...) {
    return Error{Errc::io, "the store: unknown exception", {}, {}};
  }
}

}  // namespace kernelgate::db
