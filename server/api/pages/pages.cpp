// SPDX-License-Identifier: Apache-2.0
// Two small pages without scripts: the latest runs, and one run with its table. For browsers that run no
// scripts, and for servers without the dashboard.
#include <fmt/format.h>

#include "core/decision/explain/reason.hpp"
#include "core/units/limits.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/logs.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/history/findings.hpp"
#include "server/api/pages/dashboard.hpp"
#include "server/api/pages/distribution_section.hpp"
#include "server/api/pages/html.hpp"
#include "server/http/route.hpp"
#include "server/http/target.hpp"
#include "service/runs/cost.hpp"

namespace kernelgate::api {
namespace {

http::Response page(std::string_view title, std::string_view body) {
  return http::Response{.status = 200,
                        .content_type = "text/html; charset=utf-8",
                        .body = html_page(title, body),
                        .headers = {{"Content-Security-Policy", std::string(kPagePolicy)}}};
}

std::string state_text(const db::Run& run) {
  return std::string(run.conclusion ? to_string(*run.conclusion) : to_string(run.state));
}

std::string_view state_class(const db::Run& run) { return run.conclusion ? css_class(*run.conclusion) : "dim"; }

std::string code(std::string_view text) { return "<code>" + escape_html(text) + "</code>"; }

std::string short_hash(const std::string& hash) { return code(hash.substr(0, 10)); }

std::string percent(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:+.2f} %", (*ratio - 1) * 100) : "–";
}

std::string milliseconds(const std::optional<double>& ns) { return ns ? fmt::format("{:.4g} ms", *ns / 1e6) : "–"; }

std::string run_link(RunId run) { return fmt::format("<a href=\"/runs/{0}?plain\">{0}</a>", run.value); }

std::string run_row(const db::Run& run) {
  return html_row({{"run", run_link(run.id)},
                   {"outcome", escape_html(state_text(run)), state_class(run)},
                   {"repository", escape_html(run.repository)},
                   {"commit", short_hash(run.commit)},
                   {"subject", escape_html(run.subject)},
                   {"created", escape_html(to_iso8601(run.created_at))}});
}

std::string comparison_row(const Comparison& one) {
  const std::string more = evidence_text(one);
  const std::string interval =
      one.ratio_low && one.ratio_high ? percent(one.ratio_low) + " to " + percent(one.ratio_high) : "–";
  return html_row({{"benchmark", code(one.suite + ": " + one.benchmark)},
                   {"verdict", escape_html(to_string(one.verdict)), css_class(one.verdict)},
                   {"change", percent(one.ratio)},
                   {"interval", interval},
                   {"base", milliseconds(one.base_median_ns)},
                   {"head", milliseconds(one.head_median_ns)},
                   {"pairs", one.against == Against::stored ? "stored" : std::to_string(one.pairs)},
                   {"reason", escape_html(more.empty() ? one.reason : one.reason + "; " + more)}});
}

void fact(std::string& out, std::string_view name, const std::string& html) {
  if (!html.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), html);
}

std::string facts_of(const db::Run& run, const RunCost& cost) {
  std::string out = "<dl>\n";
  fact(out, "outcome", fmt::format("<span class=\"{}\">{}</span>", state_class(run), escape_html(state_text(run))));
  fact(out, "summary", escape_html(run.summary));
  fact(out, "reason", escape_html(run.reason));
  fact(out, "progress", escape_html(run.progress));
  fact(out, "repository", escape_html(run.repository));
  fact(out, "head", code(run.commit) + " " + escape_html(run.subject));
  fact(out, "base", run.base_commit.empty() ? "" : code(run.base_commit));
  fact(out, "branch", escape_html(run.branch));
  fact(out, "testbed", escape_html(run.testbed));
  if (run.reused_from) fact(out, "verdict of", "run " + run_link(*run.reused_from));
  if (run.retry_of) fact(out, "retry of", "run " + run_link(*run.retry_of));
  fact(out, "created", escape_html(to_iso8601(run.created_at)));
  if (run.finished_at) fact(out, "finished", escape_html(to_iso8601(*run.finished_at)));
  fact(out, "cost", fmt::format("{}; {:.1f} s in all", escape_html(describe(cost)), run.wall_s));
  return out + "</dl>\n";
}

struct WholeRun {
  db::Run run;
  std::vector<Comparison> comparisons;
  RunFindings findings;
  std::vector<db::LogInfo> logs;
  RunCost cost;
};

std::string body_of(const WholeRun& whole) {
  std::string out = fmt::format("<p><a href=\"/?plain\">All runs</a></p>\n<h1>Run {}</h1>\n", whole.run.id.value);
  out += facts_of(whole.run, whole.cost);
  for (const std::string& notice : whole.run.notices) out += "<p class=\"warn\">" + escape_html(notice) + "</p>\n";
  out += findings_html(whole.findings);
  if (!whole.comparisons.empty()) {
    out += "<h2>Benchmarks</h2>\n<table>\n" +
           html_head({"benchmark", "verdict", "change", "interval", "base", "head", "pairs", "reason"}) + "<tbody>\n";
    for (const Comparison& one : whole.comparisons) out += comparison_row(one);
    out += "</tbody>\n</table>\n";
  }
  out += distribution_section(whole.comparisons);
  if (!whole.logs.empty()) out += "<h2>Logs</h2>\n<ul>\n";
  for (const db::LogInfo& log : whole.logs)
    out += fmt::format("<li><a href=\"/api/v1/runs/{}/logs/{}\">{}</a> ({} bytes)</li>\n", whole.run.id.value,
                       http::percent_encode(log.name), escape_html(log.name), log.size.value);
  if (!whole.logs.empty()) out += "</ul>\n";
  return out;
}

}  // namespace

Result<http::Answer> get_start_page(Context& context, const http::Request& request) {
  if (auto page = dashboard_page(context, request)) return std::move(*page);
  if (const Status may = http::admit(http::Access::read, request.identity); !may) return pass_on(may);
  const auto runs = context.database.read(
      [](db::Connection& connection) { return db::list_runs(connection, db::RunFilter{}, db::Page{}); });
  if (!runs) return pass_on(runs);
  std::string body = "<h1>kernelgate</h1>\n";
  if (runs->empty()) {
    body += "<p>No run yet. <code>kernelgate trigger</code> or a hook makes the first.</p>\n";
    return page("kernelgate", body);
  }
  body += "<table>\n<caption>The latest runs, newest first</caption>\n" +
          html_head({"run", "outcome", "repository", "commit", "subject", "created"}) + "<tbody>\n";
  for (const db::Run& run : *runs) body += run_row(run);
  return page("kernelgate", body + "</tbody>\n</table>\n");
}

Result<http::Answer> get_run_page(Context& context, const http::Request& request) {
  if (auto page = dashboard_page(context, request)) return std::move(*page);
  if (const Status may = http::admit(http::Access::read, request.identity); !may) return pass_on(may);
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto whole = context.database.read([&](db::Connection& connection) -> Result<WholeRun> {
    auto run = db::get_run(connection, *id);
    if (!run) return pass_on(run);
    const RunId from = run->reused_from.value_or(*id);
    const RunCost cost = service::cost_of(connection, *run);
    for (std::string& notice : db::attempt_notices(connection, *id)) run->notices.push_back(std::move(notice));
    return WholeRun{.run = std::move(*run),
                    .comparisons = db::list_comparisons(connection, from, 0, limits::kPageMax),
                    .findings = findings_of(connection, from),
                    .logs = db::list_logs(connection, from),
                    .cost = cost};
  });
  if (!whole) return pass_on(whole);
  return page("Run " + std::to_string(id->value), body_of(*whole));
}

Result<http::Answer> get_style(Context&, const http::Request&) {
  return http::Response{.status = 200,
                        .content_type = "text/css; charset=utf-8",
                        .body = std::string(style_sheet()),
                        .headers = {{"Cache-Control", "max-age=300"}}};
}

}  // namespace kernelgate::api
