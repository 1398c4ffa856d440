// SPDX-License-Identifier: Apache-2.0
// The one place where the bodies of Asio and Beast are compiled; the other files see declarations only.

#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
