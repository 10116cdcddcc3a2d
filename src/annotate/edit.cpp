#include "annotate/edit.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "yaml/json_stream.h"
#include "yaml/node.h"

namespace annotate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBlanks = " \t\r\n";

/// Of several entries with one key the last one counts.
const yaml::Entry* find_entry(const yaml::Node& mapping, std::string_view name) {
  const auto entries = mapping.entries();
  for (std::size_t i = entries.size(); i > 0; --i) {
    if (entries[i - 1].name == name) return &entries[i - 1];
  }
  return nullptr;
}

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + "'";
}

/// Writes entries the way the file around them is written.
class Writer {
 public:
  explicit Writer(std::string_view text)
      : json_(yaml::looks_like_json(text)),
        line_break_(text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n") {}

  [[nodiscard]] const std::string& line_break() const noexcept { return line_break_; }

  /// A string, or a list or an object of such, on one line.
  [[nodiscard]] std::string flow(const Json& value) const {
    if (json_) return value.dump();
    if (value.is_array()) {
      std::string items;
      for (const Json& item : value) items += (items.empty() ? "" : ", ") + flow(item);
      return "[" + items + "]";
    }
    if (!value.is_object()) return single_quoted(value.get<std::string>());
    std::string out;
    for (const auto& [name, inner] : value.items()) {
      out += (out.empty() ? "" : ", ") + entry(name, inner);
    }
    return "{" + out + "}";
  }

  /// `NAME: VALUE` on one line.
  [[nodiscard]] std::string entry(const std::string& name, const Json& value) const {
    return (json_ ? Json(name).dump() : name) + ": " + flow(value);
  }

  /// `NAME: VALUE` in block style; what it has in lines of their own is indented by `indent`.
  [[nodiscard]] std::string block(const std::string& name, const Json& value,
                                  std::size_t indent) const {
    if (!value.is_object() || value.empty()) return entry(name, value);
    std::string out = name + ":";
    for (const auto& [inner_name, inner] : value.items()) {
      out += line_break_ + std::string(indent + 2, ' ') + block(inner_name, inner, indent + 2);
    }
    return out;
  }

 private:
  bool json_;
  std::string line_break_;
};

/// The entry of a block mapping before which a new one goes: metadata stands before the spec.
const yaml::Entry* place_for(const yaml::Node& mapping) {
  const auto is_own = [](const yaml::Entry& entry) { return !entry.merged; };
  const yaml::Entry* const spec = find_entry(mapping, "spec");
  if (spec != nullptr && is_own(*spec)) return spec;
  const auto entries = mapping.entries();
  const auto first = std::ranges::find_if(entries, is_own);
  return first == entries.end() ? nullptr : &*first;
}

class Editor {
 public:
  explicit Editor(std::string_view text) : text_(text), writer_(text) {}

  /// nullopt: there is no place for it.
  [[nodiscard]] std::optional<Edit> make(const Change& change) const {
    yaml::Node mapping = change.job->node;
    for (std::size_t i = 0; i + 1 < change.path.size(); ++i) {
      const std::string& token = change.path[i];
      if (mapping.is_sequence()) {
        const std::size_t index = std::stoul(token);
        if (index >= mapping.items().size()) return std::nullopt;
        mapping = yaml::Node(mapping.items()[index]);
        continue;
      }
      const yaml::Entry* const entry = find_entry(mapping, token);
      if (entry == nullptr) return std::nullopt;
      mapping = yaml::Node(entry->value);
    }
    if (!mapping.is_mapping()) return std::nullopt;
    const std::string& name = change.path.back();
    const yaml::Entry* const entry = find_entry(mapping, name);
    if (change.value.empty()) {
      return entry == nullptr ? std::nullopt : std::optional(remove(mapping, *entry));
    }
    const Json value = Json::parse(change.value);
    if (entry != nullptr) return replace(*entry, value);
    return mapping.style() == yaml::Style::flow ? insert_flow(mapping, name, value)
                                                : insert_block(mapping, name, value);
  }

 private:
  [[nodiscard]] std::optional<Edit> insert_block(const yaml::Node& mapping, const std::string& name,
                                                 const Json& value) const {
    const yaml::Entry* const next = place_for(mapping);
    if (next == nullptr) return std::nullopt;
    const yaml::Place& key = next->key.place();
    const std::size_t indent = key.mark.column - 1;
    return Edit{
        key.begin, key.begin,
        writer_.block(name, value, indent) + writer_.line_break() + std::string(indent, ' ')};
  }

  [[nodiscard]] std::optional<Edit> insert_flow(const yaml::Node& mapping, const std::string& name,
                                                const Json& value) const {
    const std::size_t open = text_.find('{', mapping.place().begin);
    if (open == std::string_view::npos) return std::nullopt;
    const std::size_t first = std::min(text_.find_first_not_of(kBlanks, open + 1), text_.size());
    std::string entry = writer_.entry(name, value);
    if (text_.substr(first, 1) != "}") {
      // The next one stands as far from this one as it stood from the bracket.
      const std::string_view gap = text_.substr(open + 1, first - open - 1);
      const bool lines = gap.find('\n') != std::string_view::npos;
      entry = lines ? std::string(gap) + entry + "," : entry + ", ";
    }
    return Edit{open + 1, open + 1, std::move(entry)};
  }

  [[nodiscard]] Edit replace(const yaml::Entry& entry, const Json& value) const {
    const yaml::Place& place = entry.value.place();
    std::string written = writer_.flow(value);
    // `annotations:` with nothing behind it.
    if (place.begin == place.end && text_.substr(0, place.begin).ends_with(':')) {
      written.insert(0, " ");
    }
    if (text_.substr(place.begin, place.end - place.begin).ends_with('\n')) {
      written += writer_.line_break();
    }
    return {place.begin, place.end, std::move(written)};
  }

  [[nodiscard]] Edit remove(const yaml::Node& mapping, const yaml::Entry& entry) const {
    std::size_t begin = entry.key.place().begin;
    std::size_t end = entry.value.place().end;
    const bool flow = mapping.style() == yaml::Style::flow;
    if (mapping.entries().size() == 1) {
      const bool whole_line = text_.substr(begin, end - begin).ends_with('\n');
      if (whole_line) return {begin, end, "{}" + writer_.line_break()};
      return {begin, end, flow ? "" : "{}"};
    }
    if (!flow) {
      // The line, or, where the entry stands behind a `- `, up to the next key.
      const std::size_t line = text_.rfind('\n', begin) + 1;
      const bool alone =
          text_.substr(line, begin - line).find_first_not_of(' ') == std::string_view::npos;
      if (!text_.substr(0, end).ends_with('\n')) end = text_.find('\n', end) + 1;
      if (end == 0) end = text_.size();
      if (alone) return {line, end, ""};
      return {begin, std::min(text_.find_first_not_of(kBlanks, end), text_.size()), ""};
    }
    const std::size_t behind = text_.find_first_not_of(kBlanks, end);
    if (text_.substr(behind, 1) == ",") {
      return {begin, text_.find_first_not_of(kBlanks, behind + 1), ""};
    }
    begin = text_.rfind(',', begin);
    return {begin, end, ""};
  }

  std::string_view text_;
  Writer writer_;
};

/// The pointer of the first `count` tokens of a path.
Json::json_pointer pointer_of(const std::vector<std::string>& path, std::size_t count) {
  Json::json_pointer pointer;
  for (std::size_t i = 0; i < count; ++i) pointer /= path[i];
  return pointer;
}

/// The job of `changes`, which are all of one job, with them.
Json changed_job(const sources::Job& job, std::span<const Change> changes) {
  Json patch = Json::array();
  for (const Change& change : changes) {
    Json operation = {{"op", change.value.empty() ? "remove" : "add"},
                      {"path", pointer_of(change.path, change.path.size()).to_string()}};
    if (!change.value.empty()) operation["value"] = Json::parse(change.value);
    patch.push_back(std::move(operation));
  }
  return Json::parse(job.json).patch(patch);
}

bool is_of(const Change& change, const sources::Job& job) {
  return change.job->document == job.document && change.job->path == job.path;
}

/// Changes of one job's metadata, or of its replica specs; they follow one another.
using Part = std::span<const Change>;

std::vector<Part> parts_of(std::span<const Change> changes) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t end = i + 1;
    while (end < changes.size() && changes[end].job == changes[i].job &&
           changes[end].path.front() == changes[i].path.front()) {
      ++end;
    }
    parts.push_back(changes.subspan(i, end - i));
    i = end;
  }
  return parts;
}

/// How the jobs of an edited text are: as `before` with the changes made, or where not.
struct Comparison {
  bool same = false;
  std::vector<bool> wrong;  ///< by part; empty where the text has other jobs, or none
};

Comparison compare(std::string_view text, const sources::Source& before,
                   std::span<const Part> parts) {
  const sources::Source after = sources::read_source(text);
  if (after.errors.size() != before.errors.size() || after.jobs.size() != before.jobs.size()) {
    return {};
  }
  Comparison result{.same = true, .wrong = std::vector<bool>(parts.size())};
  std::size_t next = 0;  // parts come in the order of the jobs
  for (std::size_t i = 0; i < before.jobs.size(); ++i) {
    const sources::Job& job = before.jobs[i];
    const std::size_t first = next;
    std::vector<Change> changes;
    while (next < parts.size() && is_of(parts[next].front(), job)) {
      changes.insert(changes.end(), parts[next].begin(), parts[next].end());
      ++next;
    }
    if (job.json.empty()) continue;
    // The order of keys is no difference.
    const nlohmann::json expected = changed_job(job, changes);
    const nlohmann::json found = nlohmann::json::parse(after.jobs[i].json);
    if (expected == found) continue;
    result.same = false;
    for (std::size_t part = first; part < next; ++part) {
      const std::string& field = parts[part].front().path.front();
      result.wrong[part] = found.value(field, nlohmann::json()) != expected.at(field);
    }
  }
  return result;
}

/// An edit for each change; none if one of them has no place. An anchor and its aliases are changed
/// once.
std::vector<Edit> edits_in_place(const Editor& editor, std::span<const Change> changes) {
  std::vector<Edit> edits;
  for (const Change& change : changes) {
    std::optional<Edit> edit = editor.make(change);
    if (!edit) return {};
    if (std::ranges::find(edits, *edit) == edits.end()) edits.push_back(std::move(*edit));
  }
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  return edits;
}

bool overlap(std::span<const Edit> edits) {
  for (std::size_t i = 1; i < edits.size(); ++i) {
    if (edits[i].begin < edits[i - 1].end) return true;
  }
  return false;
}

/// `json` in flow style on lines of their own, for a value whose key stands at `column`.
std::string written_out(const Json& json, std::size_t column, const std::string& line_break) {
  std::string out;
  for (const char c : json.dump(2)) {
    if (c == '\n') {
      out += line_break + std::string(column + 1, ' ');
    } else {
      out += c;
    }
  }
  return out;
}

/// The edits for `changes`, all of one job's metadata or all of its replica specs, where aliases
/// and merge keys are in the way: all of the metadata, or of the specs, is written out.
std::vector<Edit> edits_written_out(std::string_view text, std::span<const Change> changes) {
  const sources::Job& job = *changes.front().job;
  const Json wanted = changed_job(job, changes);
  const std::string line_break = text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
  std::vector<Edit> edits;
  for (const Change& change : changes) {
    const std::size_t depth = change.path.front() == "spec" ? 2 : 1;
    const yaml::Entry* entry = nullptr;
    yaml::Node node = job.node;
    for (std::size_t i = 0; i < depth && i < change.path.size(); ++i) {
      entry = find_entry(node, change.path[i]);
      if (entry == nullptr) return {};
      // The job holds all of its nodes, so the entry outlives the step.
      node = yaml::Node(entry->value);
    }
    if (entry == nullptr) return {};
    const yaml::Place& place = entry->value.place();
    const std::string_view old = text.substr(place.begin, place.end - place.begin);
    Edit edit{place.begin, place.end,
              written_out(wanted.at(pointer_of(change.path, depth)), entry->key.place().mark.column,
                          line_break)};
    if (old.ends_with('\n')) edit.text += line_break;
    if (std::ranges::find(edits, edit) == edits.end()) edits.push_back(std::move(edit));
  }
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  return edits;
}

/// Which parts cannot be edited in place, where all of them together make no sound text. Each is
/// tried alone, unless there are so many that it would take long.
std::vector<bool> breaking(std::string_view text, const sources::Source& before,
                           const Editor& editor, std::span<const Part> parts) {
  constexpr std::size_t kMaxTried = 64;
  std::vector<bool> broken(parts.size(), true);
  for (std::size_t i = 0; i < parts.size() && parts.size() <= kMaxTried; ++i) {
    const std::vector<Edit> own = edits_in_place(editor, parts[i]);
    broken[i] =
        own.empty() || overlap(own) ||
        !compare(with_edits(text, own), before, std::span<const Part>(parts).subspan(i, 1)).same;
  }
  return broken;
}

}  // namespace

std::expected<std::vector<Edit>, std::string> make_edits(std::string_view text,
                                                         std::span<const Change> changes) {
  const Editor editor(text);
  const sources::Source before = sources::read_source(text);
  const std::vector<Part> parts = parts_of(changes);
  std::vector<bool> write_out(parts.size());
  // In place first; then, where that changes too much or too little, written out.
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<Edit> own = write_out[i] ? std::vector<Edit>() : edits_in_place(editor, parts[i]);
      if (own.empty()) own = edits_written_out(text, parts[i]);
      std::ranges::move(own, std::back_inserter(edits));
    }
    std::ranges::stable_sort(edits, {}, &Edit::begin);
    const auto repeated = std::ranges::unique(edits);
    edits.erase(repeated.begin(), repeated.end());
    const Comparison found =
        overlap(edits) ? Comparison{} : compare(with_edits(text, edits), before, parts);
    if (found.same) return edits;
    write_out = found.wrong.empty() ? breaking(text, before, editor, parts) : found.wrong;
  }
  return std::unexpected("an anchor or a merge key shares what would change");
}

std::string with_edits(std::string_view text, std::span<const Edit> edits) {
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  out += text.substr(at);
  return out;
}

}  // namespace annotate
