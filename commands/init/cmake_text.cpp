// SPDX-License-Identifier: Apache-2.0
#include "commands/init/cmake_text.hpp"

#include <algorithm>
#include <cctype>

#include "core/units/limits.hpp"

namespace kernelgate::init {
namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

constexpr std::size_t kCallCost = 16;  // characters: one without words takes memory, too

// One pass over the text; `at` never goes back.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<CMakeCall> calls() {
    std::vector<CMakeCall> out;
    std::string name;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        skip_comment();
      } else if (c == '(' && !name.empty()) {
        CMakeCall call{.name = lower(name), .line = line_};
        step();
        read_words(call.words);
        out.push_back(std::move(call));
        name.clear();
      } else {
        if (is_name(c))
          name += c;
        else if (c != ' ' && c != '\t')
          name.clear();
        step();
      }
    }
    return out;
  }

 private:
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  std::string quoted() {
    std::string out;
    for (step(); at_ < text_.size() && text_[at_] != '"'; step()) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
      out += text_[at_];
    }
    if (at_ < text_.size()) step();
    return out;
  }

  // Up to the parenthesis that closes the call.
  void read_words(std::vector<std::string>& words) {
    int depth = 1;
    std::string word;
    const auto end_word = [&] {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    };
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        end_word();
        skip_comment();
        continue;
      }
      if (c == '"') {
        word += quoted();
        continue;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      step();
      if (depth == 0) break;
      if (std::isspace(static_cast<unsigned char>(c)) != 0)
        end_word();
      else
        word += c;
    }
    end_word();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// ${NAME} of what is known; a value of several words stays one text with its semicolons.
std::string expanded(const std::string& word, const CMakeVariables& variables, std::size_t size_max) {
  std::string out;
  std::size_t at = 0;
  while (at < word.size() && out.size() <= size_max) {
    const std::size_t end = word.compare(at, 2, "${") == 0 ? word.find('}', at) : word.npos;
    const auto known = end == word.npos ? variables.end() : variables.find(word.substr(at + 2, end - at - 2));
    if (known == variables.end()) {
      out += word[at++];
      continue;
    }
    out += known->second;
    at = end + 1;
  }
  return out;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

class Walk {
 public:
  Walk(const std::vector<CMakeCall>& calls, CMakeVariables& variables) : calls_(calls), variables_(variables) {}

  // Loops and variables that double could make any size of a small text: what is left out then is not found.
  void run(std::size_t from, std::size_t to, int depth = 0) {
    for (std::size_t i = from; i < to && left_ > 0 && depth < limits::kJsonDepthMax; ++i) {
      CMakeCall call{.name = calls_[i].name, .line = calls_[i].line};
      spend(kCallCost);
      for (const std::string& word : calls_[i].words) {
        const std::string text = expanded(word, variables_, left_);
        spend(text.size());
        for (std::string& part : split_list(text)) call.words.push_back(std::move(part));
      }
      if (call.name == "foreach") {
        const std::size_t end = end_of_loop(i, to);
        loop(call.words, i + 1, end, depth);
        i = end;
        continue;
      }
      if (call.name == "set" && call.words.size() > 1) set(call.words);
      out_.push_back(std::move(call));
    }
  }
  std::vector<CMakeCall> take() { return std::move(out_); }

 private:
  [[nodiscard]] std::size_t end_of_loop(std::size_t from, std::size_t to) const {
    int depth = 0;
    for (std::size_t i = from; i < to; ++i) {
      if (calls_[i].name == "foreach") ++depth;
      if (calls_[i].name == "endforeach" && --depth == 0) return i;
    }
    return to;
  }

  void set(const std::vector<std::string>& words) {
    std::string value;
    for (std::size_t i = 1; i < words.size() && words[i] != "CACHE" && words[i] != "PARENT_SCOPE"; ++i)
      value += (i == 1 ? "" : ";") + words[i];
    variables_[words.front()] = value;
  }

  // foreach(VAR a b), foreach(VAR IN ITEMS a b), foreach(VAR IN LISTS LIST).
  void loop(const std::vector<std::string>& words, std::size_t from, std::size_t to, int depth) {
    if (words.empty() || from > to) return;
    std::vector<std::string> values;
    bool lists = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "IN" || words[i] == "ITEMS" || words[i] == "LISTS") {
        lists = words[i] == "LISTS";
        continue;
      }
      if (!lists) values.push_back(words[i]);
      if (const auto known = variables_.find(words[i]); lists && known != variables_.end())
        for (std::string& one : split_list(known->second)) values.push_back(std::move(one));
    }
    for (const std::string& value : values) {
      if (left_ == 0) break;
      spend(kCallCost);
      variables_[words.front()] = value;
      run(from, to, depth + 1);
    }
    variables_.erase(words.front());
  }

  void spend(std::size_t size) { left_ -= std::min(left_, size); }

  const std::vector<CMakeCall>& calls_;
  CMakeVariables& variables_;
  std::size_t left_ = 16 * limits::kManifestMax.value;  // characters, of a text of at most one sixteenth of that
  std::vector<CMakeCall> out_;
};

}  // namespace

std::vector<CMakeCall> read_cmake(std::string_view text, CMakeVariables& variables) {
  const std::vector<CMakeCall> calls = Scanner(text).calls();
  Walk walk(calls, variables);
  walk.run(0, calls.size());
  return walk.take();
}

}  // namespace kernelgate::init
