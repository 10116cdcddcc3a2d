#include "yaml/parse.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <string>

#include "yaml/event.h"
#include "yaml/key.h"
#include "yaml/quoted.h"

namespace yaml {
namespace {

template <typename T>
using Result = std::expected<T, Error>;

/// A node, and how much of it there is once aliases are resolved.
struct Built {
  Node node;
  std::size_t nodes = 1;  ///< itself and all below it
  std::size_t bytes = 0;  ///< of the text of its scalars
  std::size_t depth = 0;  ///< levels of collections, itself included
};

/// What an anchor names; nothing while its node is being read.
using Anchor = std::optional<Built>;

/// Builds the documents of one text from its events.
class EventBuilder {
 public:
  explicit EventBuilder(const TextIndex& index) : reader_(index) {}

  /// Appends the documents up to the end or the first error.
  Result<void> read_all(std::vector<Document>& documents) {
    while (true) {
      Result<Event> event = reader_.next();
      if (!event) return std::unexpected(std::move(event).error());
      if (event->type == YAML_STREAM_END_EVENT) return {};
      if (event->type != YAML_DOCUMENT_START_EVENT) continue;
      anchors_.clear();
      Result<Event> first = reader_.next();
      if (!first) return std::unexpected(std::move(first).error());
      Result<Built> root = read_node(*std::move(first), 0);
      if (!root) return std::unexpected(std::move(root).error());
      documents.push_back({std::move(root->node)});
    }
  }

 private:
  /// `level` is the number of collections around the node.
  Result<Built> read_node(Event event, std::size_t level) {
    if (event.type == YAML_ALIAS_EVENT) return read_alias(event, level);
    // An anchor counts from the beginning of its node, so that an alias within is found out.
    std::shared_ptr<Anchor> anchor;
    if (!event.anchor.empty()) {
      anchor = std::make_shared<Anchor>();
      anchors_.insert_or_assign(event.anchor, anchor);
    }
    Result<Built> built = read_content(std::move(event), level);
    if (built && anchor) *anchor = *built;
    return built;
  }

  Result<Built> read_alias(const Event& event, std::size_t level) {
    last_end_ = event.place.end;
    const auto found = anchors_.find(event.anchor);
    if (found == anchors_.end()) {
      return fail(event,
                  "no anchor " + yaml::quoted("&" + event.anchor) + " comes before this alias");
    }
    const Anchor& anchor = *found->second;
    if (!anchor)
      return fail(event, "the anchor " + yaml::quoted("&" + event.anchor) + " contains itself");
    if (level + anchor->depth > kMaxDepth) return fail_depth(event);
    aliased_nodes_ += anchor->nodes;
    if (aliased_nodes_ > kMaxAliasedNodes) {
      return fail(event, "aliases stand for more than " + std::to_string(kMaxAliasedNodes) +
                             " nodes: write fewer of them");
    }
    aliased_bytes_ += anchor->bytes;
    if (aliased_bytes_ > kMaxAliasedBytes) {
      return fail(event, "aliases stand for more than " + std::to_string(kMaxAliasedBytes >> 20U) +
                             " MiB: write fewer of them");
    }
    Built built = *anchor;
    built.node = built.node.aliased_at(event.place);
    return built;
  }

  Result<Built> read_content(Event event, std::size_t level) {
    if (++nodes_ > kMaxNodes) {
      return fail(event, too_many_nodes());
    }
    auto content = std::make_shared<Content>();
    content->style = event.style;
    content->tag = std::move(event.tag);
    content->implicit = event.implicit;
    Built built;
    if (event.type == YAML_SCALAR_EVENT) {
      last_end_ = event.place.end;
      content->text = std::move(event.text);
      built.bytes = content->text.size();
    } else {
      if (level == kMaxDepth) return fail_depth(event);
      last_end_ = event.place.end;
      const bool is_mapping = event.type == YAML_MAPPING_START_EVENT;
      content->kind = is_mapping ? Kind::mapping : Kind::sequence;
      const Result<void> read = is_mapping ? read_entries(*content, built, level + 1)
                                           : read_items(*content, built, level + 1);
      if (!read) return std::unexpected(read.error());
      ++built.depth;
      // libyaml ends a block collection where the next token begins, comments and all.
      event.place.end = last_end_;
    }
    built.node = Node(event.place, std::move(content), false);
    return built;
  }

  Result<void> read_items(Content& content, Built& parent, std::size_t level) {
    while (true) {
      Result<Event> event = reader_.next();
      if (!event) return std::unexpected(std::move(event).error());
      if (event->type == YAML_SEQUENCE_END_EVENT) return close(*event, content);
      Result<Built> item = read_node(*std::move(event), level);
      if (!item) return std::unexpected(std::move(item).error());
      account(parent, *item);
      content.items.push_back(std::move(item->node));
    }
  }

  Result<void> read_entries(Content& content, Built& parent, std::size_t level) {
    while (true) {
      Result<Event> event = reader_.next();
      if (!event) return std::unexpected(std::move(event).error());
      if (event->type == YAML_MAPPING_END_EVENT) return close(*event, content);
      Result<Built> key = read_node(*std::move(event), level);
      if (!key) return std::unexpected(std::move(key).error());
      Result<Event> next = reader_.next();
      if (!next) return std::unexpected(std::move(next).error());
      Result<Built> value = read_node(*std::move(next), level);
      if (!value) return std::unexpected(std::move(value).error());
      account(parent, *key);
      account(parent, *value);

      if (is_merge_key(key->node)) {
        if (Result<void> merged = merge(value->node, content); !merged) return merged;
        continue;
      }
      Result<std::string> name = key_name(key->node);
      if (!name) return std::unexpected(std::move(name).error());
      content.entries.push_back(
          {*std::move(name), std::move(key->node), std::move(value->node), false});
    }
  }

  Result<void> close(const Event& event, const Content& content) {
    if (content.style == Style::flow) last_end_ = event.place.end;
    return {};
  }

  static void account(Built& parent, const Built& child) {
    parent.nodes += child.nodes;
    parent.bytes += child.bytes;
    parent.depth = std::max(parent.depth, child.depth);
  }

  static Result<void> merge(const Node& source, Content& target) {
    if (source.is_mapping()) {
      for (Entry entry : source.entries()) {
        entry.merged = true;
        target.entries.push_back(std::move(entry));
      }
      return {};
    }
    const bool is_list = source.is_sequence() && !source.is_alias();
    const auto is_other = [](const Node& item) { return !item.is_mapping(); };
    const auto other = std::ranges::find_if(source.items(), is_other);
    if (!is_list || other != source.items().end()) {
      return fail(is_list ? other->mark() : source.mark(),
                  "'<<' takes a mapping or a list of mappings, as in '<<: *defaults'");
    }
    for (const Node& item : std::views::reverse(source.items())) {
      if (Result<void> merged = merge(item, target); !merged) return merged;
    }
    return {};
  }

  static std::unexpected<Error> fail(const Mark& mark, std::string message) {
    return std::unexpected(Error{mark, std::move(message)});
  }
  static std::unexpected<Error> fail(const Event& event, std::string message) {
    return fail(event.place.mark, std::move(message));
  }
  static std::unexpected<Error> fail_depth(const Event& event) {
    return fail(event, "nested deeper than " + std::to_string(kMaxDepth) + " levels");
  }

  EventReader reader_;
  std::map<std::string, std::shared_ptr<Anchor>, std::less<>> anchors_;
  std::size_t nodes_ = 0;
  std::size_t aliased_nodes_ = 0;
  std::size_t aliased_bytes_ = 0;
  std::size_t last_end_ = 0;
};

}  // namespace

std::string too_many_nodes() {
  return "more than " + std::to_string(kMaxNodes) + " values: split the file";
}

Stream parse_stream(std::string_view text) {
  const auto failed = [](const Mark& mark, std::string message) {
    return Stream{{}, Error{mark, std::move(message)}};
  };
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return failed({}, "this is UTF-16: save it as UTF-8");
  }
  const TextIndex index(text);
  if (const std::optional<std::size_t> offset = find_invalid_utf8(text)) {
    return failed(index.mark_of_byte(*offset), "this is not UTF-8: save the file in that encoding");
  }
  Stream stream;
  Result<void> read = EventBuilder(index).read_all(stream.documents);
  if (!read) stream.error = std::move(read).error();
  return stream;
}

Result<std::vector<Document>> parse(std::string_view text) {
  Stream stream = parse_stream(text);
  if (stream.error) return std::unexpected(*std::move(stream.error));
  return std::move(stream.documents);
}

}  // namespace yaml
