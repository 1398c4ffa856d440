// SPDX-License-Identifier: Apache-2.0
// Globs as git writes them. The pattern becomes a row of tokens that is walked as a set of states,
// so that no pattern costs more than its length times the path's.
#include "core/manifest/glob.hpp"

#include <vector>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

enum class Kind { letter, any, star, directories, rest, set };  // directories: "**/", rest: a final "**"

struct Token {
  Kind kind = Kind::letter;
  char letter = 0;
  bool negated = false;
  std::vector<std::pair<unsigned char, unsigned char>> ranges{};
};

// Parses "[a-z]" at `at` (on the bracket); moves `at` past it. False when it never closes.
bool parse_set(std::string_view pattern, std::size_t& at, Token& token) {
  token.kind = Kind::set;
  std::size_t i = at + 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) {
    token.negated = true;
    ++i;
  }
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    const auto low = static_cast<unsigned char>(pattern[i]);
    auto high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      high = static_cast<unsigned char>(pattern[i + 2]);
      i += 2;
    }
    token.ranges.emplace_back(low, high);
    ++i;
  }
  if (i >= pattern.size()) return false;
  at = i + 1;
  return true;
}

// Parses the stars at `at`; only "**" that fills a whole component crosses slashes.
Token parse_stars(std::string_view pattern, std::size_t& at) {
  const std::size_t start = at;
  while (at < pattern.size() && pattern[at] == '*') ++at;
  const bool opens = start == 0 || pattern[start - 1] == '/';
  if (at - start != 2 || !opens) return {.kind = Kind::star};
  if (at == pattern.size()) return {.kind = Kind::rest};
  if (pattern[at] != '/') return {.kind = Kind::star};
  ++at;
  return {.kind = Kind::directories};
}

Result<std::vector<Token>> parse(std::string_view pattern) {
  std::vector<Token> out;
  for (std::size_t at = 0; at < pattern.size();) {
    Token token;
    const char c = pattern[at];
    if (c == '*') {
      token = parse_stars(pattern, at);
    } else if (c == '[') {
      if (!parse_set(pattern, at, token))
        return fail(Errc::invalid, "has a '[' that is never closed", {}, "close it, or write '\\[' for the letter");
    } else {
      const bool escaped = c == '\\';
      if (escaped && at + 1 == pattern.size())
        return fail(Errc::invalid, "ends in a lone backslash", {}, "write '\\\\' for the letter");
      token.kind = c == '?' ? Kind::any : Kind::letter;
      token.letter = escaped ? pattern[at + 1] : c;
      at += escaped ? 2 : 1;
    }
    out.push_back(std::move(token));
  }
  return out;
}

bool in_set(const Token& token, char c) {
  if (c == '/') return false;
  const auto letter = static_cast<unsigned char>(c);
  for (const auto& [low, high] : token.ranges)
    if (letter >= low && letter <= high) return !token.negated;
  return token.negated;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Which states are reached without reading a letter: stars may match nothing.
void open_up(const std::vector<Token>& tokens, std::vector<bool>& states, bool at_component_start) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Kind kind = tokens[i].kind;
    if (states[i] && (kind == Kind::star || kind == Kind::rest || (kind == Kind::directories && at_component_start)))
      states[i + 1] = true;
  }
}

std::vector<bool> step(const std::vector<Token>& tokens, const std::vector<bool>& states, char c) {
  std::vector<bool> next(states.size(), false);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i]) continue;
    // The tail of a letter of several bytes belongs to the '?' that took its first byte.
    if (i > 0 && tokens[i - 1].kind == Kind::any && is_continuation(c)) next[i] = true;
    if (i == tokens.size()) continue;
    const Token& token = tokens[i];
    switch (token.kind) {
      case Kind::letter: next[i + 1] = next[i + 1] || c == token.letter; break;
      case Kind::any: next[i + 1] = next[i + 1] || (c != '/' && !is_continuation(c)); break;
      case Kind::set: next[i + 1] = next[i + 1] || in_set(token, c); break;
      case Kind::star: next[i] = next[i] || c != '/'; break;
      case Kind::directories:
      case Kind::rest: next[i] = true; break;
    }
  }
  return next;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view path) {
  const Result<std::vector<Token>> tokens = parse(pattern);
  if (!tokens) return false;
  std::vector<bool> states(tokens->size() + 1, false);
  states[0] = true;
  open_up(*tokens, states, true);
  for (const char c : path) {
    states = step(*tokens, states, c);
    open_up(*tokens, states, c == '/');
  }
  return states.back();
}

Status check_glob(std::string_view pattern) {
  if (pattern.empty()) return fail(Errc::invalid, "is empty", {}, "write '**' for every file");
  if (pattern.size() > limits::kGlobMax)
    return fail(Errc::invalid, "is longer than " + std::to_string(limits::kGlobMax) + " bytes", {}, "shorten it");
  if (pattern.front() == '/')
    return fail(Errc::invalid, "begins with '/'", {}, "globs start at the repository's root: drop the '/'");
  if (pattern.find('\0') != pattern.npos) return fail(Errc::invalid, "holds a NUL", {}, "remove it");
  std::string_view left = pattern;
  for (;;) {
    const std::string_view component = left.substr(0, left.find('/'));
    if (component == "..") return fail(Errc::invalid, "leaves the repository", {}, "'..' cannot be used in a glob");
    if (component == ".") return fail(Errc::invalid, "holds a '.' component", {}, "write 'a/b', not './a/b'");
    if (component.size() == left.size()) break;
    left.remove_prefix(component.size() + 1);
    if (left.empty()) return fail(Errc::invalid, "ends in '/'", {}, "write 'folder/**' for its files");
  }
  const Result<std::vector<Token>> tokens = parse(pattern);
  if (!tokens) return pass_on(tokens);
  return {};
}

}  // namespace kernelgate
