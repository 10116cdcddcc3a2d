#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <yaml.h>

#include "yaml/error.h"
#include "yaml/node.h"
#include "yaml/text_index.h"

namespace yaml {

/// What libyaml says next: the beginning or end of a document or collection, a scalar, an alias.
struct Event {
  yaml_event_type_t type = YAML_NO_EVENT;
  Place place;
  std::string anchor;  ///< of a node, or the one that an alias names; empty for none
  std::string tag;     ///< in its long form; empty for none
  std::string text;    ///< of a scalar
  bool implicit = false;
  Style style = Style::plain;
};

/// Reads a text event by event. Not synchronised; not to be used after an error.
class EventReader {
 public:
  /// `index` outlives the reader, and so does its text, which is well-formed UTF-8.
  explicit EventReader(const TextIndex& index);
  ~EventReader();
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;
  EventReader(EventReader&&) = delete;
  EventReader& operator=(EventReader&&) = delete;

  /// The next event; after YAML_STREAM_END_EVENT there is none.
  [[nodiscard]] std::expected<Event, Error> next();

 private:
  const TextIndex& index_;
  yaml_parser_t parser_{};
  bool ready_ = false;
};

}  // namespace yaml
