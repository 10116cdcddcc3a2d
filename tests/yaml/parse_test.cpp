#include "yaml/parse.h"

#include <string>
#include <string_view>

#include "tests/support/catch.h"

namespace {

yaml::Node root_of(std::string_view text) {
  auto documents = yaml::parse(text);
  if (!documents) throw std::runtime_error(documents.error().message);
  return documents->at(0).root;
}

std::string_view slice(std::string_view text, const yaml::Node& node) {
  return text.substr(node.place().begin, node.place().end - node.place().begin);
}

using yaml::Mark;

}  // namespace

TEST_CASE("a node knows its line and column", "[yaml][parse]") {
  const yaml::Node root = root_of("# comment\na: 1\nlist:\n  - x\n  -   y: 2\n");
  CHECK(root.mark() == Mark{2, 1});
  CHECK(root.find("a")->mark() == Mark{2, 4});
  CHECK(root.find("list")->mark() == Mark{4, 3});
  CHECK(root.find("list")->items()[1].mark() == Mark{5, 7});
  CHECK(root.entries()[1].key.mark() == Mark{3, 1});
}

TEST_CASE("a node knows its bytes", "[yaml][parse]") {
  const std::string_view text =
      "# c\nplain: some text # c\nquoted: 'it''s'\nflow: [1, {a: b}] \nblock:\n  - x\n  - k: v\n\n"
      "# c\nlast: |\n  l\n  m\nnothing:\ntagged: &a !!str z\nalias: *a\n";
  const yaml::Node root = root_of(text);
  CHECK(slice(text, *root.find("plain")) == "some text");
  CHECK(slice(text, *root.find("quoted")) == "'it''s'");
  CHECK(slice(text, *root.find("flow")) == "[1, {a: b}]");
  CHECK(slice(text, root.find("flow")->items()[1]) == "{a: b}");
  CHECK(slice(text, *root.find("block")) == "- x\n  - k: v");
  CHECK(slice(text, *root.find("last")) == "|\n  l\n  m\n");
  CHECK(slice(text, *root.find("nothing")).empty());
  CHECK(slice(text, *root.find("tagged")) == "&a !!str z");
  CHECK(slice(text, *root.find("alias")) == "*a");
  CHECK(slice(text, root.entries()[0].key) == "plain");
  CHECK(slice(text, root) == text.substr(4, text.size() - 5));
}

TEST_CASE("columns count characters, offsets bytes", "[yaml][parse]") {
  const std::string_view text = "é: [€, 😀, x]\nb: \"ü\" # ü\nc: d\n";
  const yaml::Node root = root_of(text);
  const yaml::Node& last = root.find("é")->items()[2];
  CHECK(last.mark() == Mark{1, 11});
  CHECK(slice(text, last) == "x");
  CHECK(slice(text, *root.find("b")) == "\"ü\"");
  CHECK(root.find("c")->mark() == Mark{3, 4});
  CHECK(slice(text, *root.find("c")) == "d");
}

TEST_CASE("offsets hold in long texts that are not ASCII", "[yaml][parse]") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "- é" + std::to_string(i) + "\n";
  const yaml::Node root = root_of(text);
  REQUIRE(root.items().size() == 300);
  for (std::size_t i = 0; i < 300; ++i) {
    const yaml::Node& item = root.items()[i];
    REQUIRE(item.mark() == Mark{i + 1, 3});
    REQUIRE(slice(text, item) == "é" + std::to_string(i));
  }
}

TEST_CASE("a byte order mark has no column but bytes", "[yaml][parse]") {
  const std::string_view text =
      "\xEF\xBB\xBF"
      "a: 1\nb: 2\n";
  const yaml::Node root = root_of(text);
  CHECK(root.mark() == Mark{1, 1});
  CHECK(root.entries()[0].name == "a");
  CHECK(slice(text, *root.find("a")) == "1");
  CHECK(slice(text, *root.find("b")) == "2");
}

TEST_CASE("lines may end as on Windows or old Macs", "[yaml][parse]") {
  for (const std::string_view ending : {"\r\n", "\r"}) {
    const std::string text =
        "a: 1" + std::string(ending) + "b: |" + std::string(ending) + "  x" + std::string(ending);
    const yaml::Node root = root_of(text);
    CHECK(root.find("b")->mark() == Mark{2, 4});
    CHECK(root.find("b")->text() == "x\n");
    CHECK(slice(text, *root.find("a")) == "1");
  }
}

TEST_CASE("nodes tell how they are written", "[yaml][parse]") {
  using yaml::Style;
  const yaml::Node root = root_of(
      "- p\n- 's'\n- \"d\"\n- |\n  l\n- >\n  f\n- [a]\n- {a: b}\n- - x\n- !!int 1\n- !own {}\n");
  const auto items = root.items();
  CHECK(items[0].style() == Style::plain);
  CHECK(items[0].is_implicit());
  CHECK(items[1].style() == Style::single_quoted);
  CHECK_FALSE(items[1].is_implicit());
  CHECK(items[2].style() == Style::double_quoted);
  CHECK(items[3].style() == Style::literal);
  CHECK(items[4].style() == Style::folded);
  CHECK(items[5].style() == Style::flow);
  CHECK(items[5].is_sequence());
  CHECK(items[6].style() == Style::flow);
  CHECK(items[6].is_mapping());
  CHECK(items[7].style() == Style::block);
  CHECK(items[8].tag() == "tag:yaml.org,2002:int");
  CHECK_FALSE(items[8].is_implicit());
  CHECK(items[9].tag() == "!own");
}

TEST_CASE("an alias has its own place and its anchor's content", "[yaml][alias]") {
  const yaml::Node root = root_of("a: &x\n  k: [1]\nb: *x\n");
  const yaml::Node& alias = *root.find("b");
  CHECK(alias.is_alias());
  CHECK_FALSE(root.find("a")->is_alias());
  CHECK(alias.mark() == Mark{3, 4});
  REQUIRE(alias.is_mapping());
  CHECK(alias.find("k")->mark() == Mark{2, 6});
}

TEST_CASE("an anchor may be set again", "[yaml][alias]") {
  const yaml::Node root = root_of("- &x 1\n- *x\n- &x 2\n- *x\n- &x [&x 3, *x]\n- *x\n");
  CHECK(root.items()[1].text() == "1");
  CHECK(root.items()[3].text() == "2");
  CHECK(root.items()[4].items()[1].text() == "3");
  CHECK(root.items()[5].text() == "3");
}

TEST_CASE("merged entries stand in the place of their key", "[yaml][merge]") {
  const yaml::Node root = root_of("x: &x {a: 1}\nz:\n  b: 1\n  <<: *x\n  a: 2\n");
  const auto entries = root.find("z")->entries();
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "b");
  CHECK(entries[1].name == "a");
  CHECK(entries[1].merged);
  CHECK(entries[1].key.mark() == Mark{1, 8});
  CHECK_FALSE(entries[2].merged);
  CHECK(root.find("z")->find("a")->text() == "2");
}

TEST_CASE("duplicate keys are kept, and the last is found", "[yaml][parse]") {
  const yaml::Node root = root_of("a: 1\nb: 2\na: 3\n");
  REQUIRE(root.entries().size() == 3);
  CHECK(root.entries()[2].name == "a");
  CHECK(root.find("a")->text() == "3");
  CHECK(root.find("c") == nullptr);
}

TEST_CASE("keys are found by the string that kubectl makes of them", "[yaml][parse]") {
  const yaml::Node root = root_of("on: 1\n0x10: 2\n'off': 3\n");
  CHECK(root.find("true")->text() == "1");
  CHECK(root.find("on") == nullptr);
  CHECK(root.find("16")->text() == "2");
  CHECK(root.find("off")->text() == "3");
}

TEST_CASE("a text may hold several documents", "[yaml][parse]") {
  const auto documents = yaml::parse("a: &x 1\n---\n# nothing\n---\n- b\n...\n---\nc\n");
  REQUIRE(documents);
  REQUIRE(documents->size() == 4);
  CHECK((*documents)[0].root.is_mapping());
  CHECK((*documents)[1].root.text().empty());
  CHECK((*documents)[2].root.items()[0].mark() == Mark{5, 3});
  CHECK((*documents)[3].root.mark() == Mark{8, 1});
}

TEST_CASE("a text without content has no documents", "[yaml][parse]") {
  for (const std::string_view text : {"", "\n\n", "# comment\n", "\xEF\xBB\xBF", " \n  # c\n"}) {
    const auto documents = yaml::parse(text);
    REQUIRE(documents);
    CHECK(documents->empty());
  }
}

TEST_CASE("copies of nodes outlive the documents", "[yaml][parse]") {
  yaml::Node value;
  CHECK(value.text().empty());
  CHECK(value.is_implicit());
  {
    const yaml::Node root = root_of("a: [x]\n");
    value = *root.find("a");
  }
  CHECK(value.items()[0].text() == "x");
}

TEST_CASE("what comes before an error is kept by who asks for it", "[yaml][parse]") {
  const yaml::Stream stream = yaml::parse_stream("a: 1\n---\nb: 2\n---\nc: [\n");
  REQUIRE(stream.documents.size() == 2);
  CHECK(stream.documents[1].root.find("b")->text() == "2");
  REQUIRE(stream.error.has_value());
  CHECK(stream.error->mark.line >= 5);
  CHECK_FALSE(yaml::parse("a: 1\n---\nc: [\n").has_value());
  CHECK_FALSE(yaml::parse_stream("a: 1\n").error.has_value());
}

TEST_CASE("a text has a bounded number of nodes and aliased bytes", "[yaml][parse]") {
  std::string many = "[";
  for (std::size_t i = 0; i < yaml::kMaxNodes; ++i) many += "a,";
  CHECK(yaml::parse(many + "]").error().message == "more than 2000000 values: split the file");

  std::string large = "a: &a " + std::string(1 << 20, 'x') + "\nb: [";
  for (int i = 0; i < 32; ++i) large += "*a,";
  CHECK(yaml::parse(large + "]").has_value());
  CHECK(yaml::parse(large + "*a]").error().message ==
        "aliases stand for more than 32 MiB: write fewer of them");
}
