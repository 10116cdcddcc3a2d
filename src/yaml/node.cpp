#include "yaml/node.h"

#include <algorithm>
#include <ranges>

namespace yaml {

Node::Node() {
  static const auto null_content = std::make_shared<const Content>(
      Content{.tag = {}, .text = {}, .implicit = true, .items = {}, .entries = {}});
  content_ = null_content;
}

Kind Node::kind() const noexcept { return content_->kind; }
Style Node::style() const noexcept { return content_->style; }
std::string_view Node::tag() const noexcept { return content_->tag; }
std::string_view Node::text() const noexcept { return content_->text; }
bool Node::is_implicit() const noexcept { return content_->implicit; }
std::span<const Node> Node::items() const noexcept { return content_->items; }
std::span<const Entry> Node::entries() const noexcept { return content_->entries; }

const Node* Node::find(std::string_view key) const noexcept {
  const auto backwards = std::views::reverse(content_->entries);
  const auto found = std::ranges::find(backwards, key, &Entry::name);
  return found == backwards.end() ? nullptr : &found->value;
}

}  // namespace yaml
