#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/error.h"

namespace yaml {

enum class Kind { scalar, sequence, mapping };

/// How a node is written. Scalars are plain, quoted, literal (`|`) or folded (`>`); sequences and
/// mappings are block or flow (`[]`, `{}`).
enum class Style { plain, single_quoted, double_quoted, literal, folded, block, flow };

struct Entry;

/// What a node holds, apart from its place; shared by an anchor's node and the aliases of it.
struct Content;

/// Where a node stands.
struct Place {
  Mark mark;              ///< where it begins, its tag and anchor included
  std::size_t begin = 0;  ///< offset of its first byte
  /// Offset behind its last byte; behind the last line break that belongs to it where it is a
  /// literal or folded scalar.
  std::size_t end = 0;
};

/// A node of a YAML document, with its place. A cheap, immutable value: copies share their
/// content, and may be read by many threads at once. Views live as long as any copy.
class Node {
 public:
  /// A null without a place.
  Node();
  Node(Place place, std::shared_ptr<const Content> content, bool alias)
      : place_(place), content_(std::move(content)), alias_(alias) {}

  /// An alias (`*name`) has its own place, and everything else from its anchor.
  [[nodiscard]] const Place& place() const noexcept { return place_; }
  [[nodiscard]] const Mark& mark() const noexcept { return place_.mark; }
  [[nodiscard]] bool is_alias() const noexcept { return alias_; }

  /// The alias at `place` of this node.
  [[nodiscard]] Node aliased_at(Place place) const { return {place, content_, true}; }

  [[nodiscard]] Kind kind() const noexcept;
  [[nodiscard]] bool is_scalar() const noexcept { return kind() == Kind::scalar; }
  [[nodiscard]] bool is_sequence() const noexcept { return kind() == Kind::sequence; }
  [[nodiscard]] bool is_mapping() const noexcept { return kind() == Kind::mapping; }
  [[nodiscard]] Style style() const noexcept;

  /// The tag in its long form ("tag:yaml.org,2002:str" for `!!str`), empty where none is written.
  [[nodiscard]] std::string_view tag() const noexcept;

  /// The text of a scalar, unquoted; empty for other kinds. See `resolve` for its type.
  [[nodiscard]] std::string_view text() const noexcept;

  /// Whether a scalar's type is told by its text: it is plain and has no tag.
  [[nodiscard]] bool is_implicit() const noexcept;

  /// The items of a sequence; empty for other kinds.
  [[nodiscard]] std::span<const Node> items() const noexcept;

  /// The entries of a mapping in their order, all of several with one key; empty for other kinds.
  /// Those that a merge key (`<<`) brings stand in its place.
  [[nodiscard]] std::span<const Entry> entries() const noexcept;

  /// The value of `key`, the last one where there are several, or null. Linear.
  [[nodiscard]] const Node* find(std::string_view key) const noexcept;

 private:
  Place place_;
  std::shared_ptr<const Content> content_;
  bool alias_ = false;
};

/// One key of a mapping and its value.
struct Entry {
  std::string name;  ///< the key as the string that kubectl makes of it: "true" for `yes`
  Node key;
  Node value;
  bool merged = false;  ///< brought by a merge key
};

struct Content {
  Kind kind = Kind::scalar;
  Style style = Style::plain;
  std::string tag;
  std::string text;
  bool implicit = false;
  std::vector<Node> items;
  std::vector<Entry> entries;
};

}  // namespace yaml
