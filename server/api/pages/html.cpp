// SPDX-License-Identifier: Apache-2.0
#include "server/api/pages/html.hpp"

namespace kernelgate::api {
namespace {

// Rows become cards below 40 rem, so that nothing scrolls sideways on a phone.
constexpr std::string_view kStyle = R"css(:root {
  color-scheme: light dark;
  --ink: #1c2024; --dim: #5b6570; --paper: #ffffff; --line: #d8dee4;
  --good: #116329; --bad: #b42318; --warn: #7a4d00; --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eaed; --dim: #a4adb8; --paper: #14171a; --line: #343a41;
    --good: #6fdd8b; --bad: #ff9c92; --warn: #f2c265; --link: #9ac1ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--dim); padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0; }
dt { color: var(--dim); } dd { margin: 0; }
meter { width: 8rem; vertical-align: middle; }
.dim { color: var(--dim); } .good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; } .warn { color: var(--warn); font-weight: 600; }
@media (max-width: 40rem) {
  thead { display: none; }
  tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  td { display: grid; grid-template-columns: 7rem 1fr; border: 0; padding: .1rem 0; }
  td::before { content: attr(data-column); color: var(--dim); }
}
)css";

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  out += escape_html(title);
  out += "</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body>\n<main>\n";
  out += body;
  return out + "</main>\n</body>\n</html>\n";
}

std::string html_no_page(const Error& error) {
  std::string body = "<h1>There is no such page</h1>\n<p>" + escape_html(error.what);
  if (!error.where.empty()) body += ": <code>" + escape_html(error.where) + "</code>";
  body += "</p>\n<p>What to do: look at the link for a part that was cut off or came along by mistake (" +
          escape_html(error.fix) + "), or start at <a href=\"/\">the overview</a>.</p>\n";
  return html_page("No such page - kernelgate", body);
}

std::string html_row(const std::vector<Cell>& cells) {
  std::string out = "<tr>";
  for (const Cell& cell : cells) {
    out += "<td data-column=\"" + escape_html(cell.column) + "\">";
    const bool coloured = !cell.css_class.empty();
    if (coloured)
      out += "<span class=\"" + std::string(cell.css_class) + "\">" + cell.html + "</span>";
    else
      out += "<span>" + cell.html + "</span>";
    out += "</td>";
  }
  return out + "</tr>\n";
}

std::string html_head(const std::vector<std::string_view>& columns) {
  std::string out = "<thead><tr>";
  for (const std::string_view column : columns) out += "<th scope=\"col\">" + escape_html(column) + "</th>";
  return out + "</tr></thead>\n";
}

std::string_view style_sheet() { return kStyle; }

std::string_view css_class(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::passed: return "good";
    case Conclusion::regressed:
    case Conclusion::broken:
    case Conclusion::build_failed: return "bad";
    case Conclusion::undecided:
    case Conclusion::infrastructure: return "warn";
    case Conclusion::cancelled: return "dim";
  }
  return "";
}

std::string_view css_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::improved: return "good";
    case Verdict::regressed:
    case Verdict::broken:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::invalid: return "bad";
    case Verdict::undecided:
    case Verdict::suspected:
    case Verdict::missing: return "warn";
    case Verdict::unchanged:
    case Verdict::added:
    case Verdict::identical: return "";
  }
  return "";
}

}  // namespace kernelgate::api
