// SPDX-License-Identifier: Apache-2.0
// What people write into the ledger.
#include <algorithm>
#include <cctype>

#include "core/units/digest.hpp"
#include "db/accounts/audit.hpp"
#include "db/ledger/attempt_parts.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::db {
namespace {

struct Words {
  const std::optional<std::string>& hypothesis;
  const std::optional<std::string>& lesson;
};

Status check_words(const Words& words) {
  if (words.hypothesis || words.lesson) return {};
  return fail(Errc::invalid, "nothing to note", "hypothesis, lesson", "give one of them, or both");
}

void write_words(Connection& connection, AttemptId id, const Words& words) {
  if (words.hypothesis) connection.run("UPDATE attempts SET hypothesis = ? WHERE id = ?", *words.hypothesis, id);
  if (words.lesson) connection.run("UPDATE attempts SET lesson = ? WHERE id = ?", *words.lesson, id);
}

void log(Connection& connection, AttemptId id, std::string action, const Words& words, std::string_view actor,
         Instant now) {
  std::string detail;
  if (words.hypothesis) detail += "hypothesis: " + *words.hypothesis;
  if (words.lesson) detail += (detail.empty() ? "" : "; ") + ("lesson: " + *words.lesson);
  log_action(connection,
             {.actor = std::string(actor),
              .action = std::move(action),
              .subject = "attempt " + std::to_string(id.value),
              .detail = std::move(detail)},
             now);
}

// Said twice, it is still one idea.
Result<AttemptId> put_idea(Connection& connection, RepositoryId repository, const wire::AttemptNote& note,
                           Instant now) {
  if (!note.hypothesis || note.hypothesis->empty())
    return fail(Errc::invalid, "an idea without a hypothesis", "hypothesis", "say what is to be tried and why");
  if (std::any_of(note.branch.begin(), note.branch.end(),
                  [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }))
    return fail(Errc::invalid, "not a branch: it has control characters", "branch", "no run could ever take it over");
  const std::string key = "idea " + Sha256().field(note.branch).field(*note.hypothesis).hex();
  if (const auto known_one = find_attempt(connection, repository, key)) return *known_one;
  return add_attempt(
      connection,
      {.repository = repository, .kind = "idea", .key = key, .branch = note.branch, .hypothesis = *note.hypothesis},
      now);
}

}  // namespace

Result<AttemptId> note_attempt(Connection& connection, const wire::AttemptNote& note, std::string_view actor,
                               Instant now) {
  const Words words{note.hypothesis, note.lesson};
  if (const Status good = check_words(words); !good) return pass_on(good);
  const auto repository = get_repository(connection, note.repository);
  if (!repository) return pass_on(repository);
  Result<AttemptId> id = AttemptId{};
  if (note.run) {
    const auto run = get_run(connection, RunId{*note.run});
    if (!run) return pass_on(run);
    if (run->repository_id != repository->id)
      return fail(Errc::not_found, "run " + std::to_string(*note.run) + " belongs to another repository", "run");
    id = force_attempt(connection, run->id, now);
  } else {
    id = put_idea(connection, repository->id, note, now);
    if (!id) return id;
  }
  write_words(connection, *id, words);
  log(connection, *id, "attempt.note", words, actor, now);
  return id;
}

Status change_attempt(Connection& connection, AttemptId id, const wire::AttemptChange& change, std::string_view actor,
                      Instant now) {
  const Words words{change.hypothesis, change.lesson};
  if (const Status good = check_words(words); !good) return good;
  const auto attempt = get_attempt(connection, id);
  if (!attempt) return pass_on(attempt);
  write_words(connection, id, words);
  log(connection, id, "attempt.change", words, actor, now);
  return {};
}

}  // namespace kernelgate::db
