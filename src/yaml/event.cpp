#include "yaml/event.h"

#include "yaml/syntax_error.h"

namespace yaml {
namespace {

std::string to_string(const yaml_char_t* text) {
  // libyaml has unsigned characters throughout.
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text));
}

Style style_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
      return Style::single_quoted;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      return Style::double_quoted;
    case YAML_LITERAL_SCALAR_STYLE:
      return Style::literal;
    case YAML_FOLDED_SCALAR_STYLE:
      return Style::folded;
    default:
      return Style::plain;
  }
}

/// Copies what `source` says of its type, apart from its place.
Event copy(const yaml_event_t& source) {
  Event event;
  event.type = source.type;
  switch (source.type) {
    case YAML_ALIAS_EVENT:
      event.anchor = to_string(source.data.alias.anchor);
      break;
    case YAML_SCALAR_EVENT: {
      const auto& scalar = source.data.scalar;
      event.anchor = to_string(scalar.anchor);
      event.tag = to_string(scalar.tag);
      event.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
      event.implicit = scalar.plain_implicit != 0;
      event.style = style_of(scalar.style);
      break;
    }
    case YAML_SEQUENCE_START_EVENT:
      event.anchor = to_string(source.data.sequence_start.anchor);
      event.tag = to_string(source.data.sequence_start.tag);
      event.style =
          source.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE ? Style::flow : Style::block;
      break;
    case YAML_MAPPING_START_EVENT:
      event.anchor = to_string(source.data.mapping_start.anchor);
      event.tag = to_string(source.data.mapping_start.tag);
      event.style =
          source.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE ? Style::flow : Style::block;
      break;
    default:
      break;
  }
  return event;
}

}  // namespace

EventReader::EventReader(const TextIndex& index) : index_(index) {
  ready_ = yaml_parser_initialize(&parser_) != 0;
  if (!ready_) return;
  const std::string_view body = index.body();
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(body.data()),
                               body.size());
}

EventReader::~EventReader() {
  if (ready_) yaml_parser_delete(&parser_);
}

std::expected<Event, Error> EventReader::next() {
  if (!ready_) return std::unexpected(Error{{}, "out of memory"});
  yaml_event_t raw;
  if (yaml_parser_parse(&parser_, &raw) == 0) {
    return std::unexpected(syntax_error(parser_, index_));
  }
  Event event = copy(raw);
  event.place = {index_.mark_of_char(raw.start_mark.index),
                 index_.byte_of_char(raw.start_mark.index),
                 index_.byte_of_char(raw.end_mark.index)};
  yaml_event_delete(&raw);
  return event;
}

}  // namespace yaml
