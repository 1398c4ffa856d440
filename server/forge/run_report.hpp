// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is told of a run, and the words for it. Pure. Names of benchmarks, messages of commits and logs are foreign:
// what comes out is harmless wherever it is shown.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::forge {

struct RunReport {
  wire::Run run;       // with its comparisons
  std::string phase;   // held, queued, building, measuring, finished
  std::string name;    // the repository's on the forge: "owner/name"
  std::string url;     // of the run's page
  std::string plot{};  // URL of its forest plot; empty: whoever reads this could not load it
};

// Of a run in that state: held, queued, building, measuring or finished.
[[nodiscard]] std::string_view phase_of(RunState state);

// Of a run that has ended; cancelled where it has none.
[[nodiscard]] Conclusion conclusion_of(const wire::Run& run);

// One line of plain text: "Measuring", "regressed: 1 regressed, 3 unchanged". At most kForgeStatusMax characters.
[[nodiscard]] std::string status_text(const RunReport& report);

// Markdown of at most kForgeTextMax bytes: what the run found, or how far it is.
[[nodiscard]] std::string report_text(const RunReport& report);

// A place in the source that a sanitizer named.
struct Annotation {
  std::string path;  // as far as the tool knew it
  int line = 0;
  std::string title, message;
};
[[nodiscard]] std::vector<Annotation> annotations_of(const wire::Run& run);

}  // namespace kernelgate::forge
