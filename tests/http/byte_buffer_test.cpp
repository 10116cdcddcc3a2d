#include "http/byte_buffer.h"

#include <string>
#include <utility>

#include "tests/support/catch.h"

using http::ByteBuffer;

TEST_CASE("Bytes stay as they are while a buffer grows", "[http][byte_buffer]") {
  ByteBuffer buffer;
  CHECK(buffer.empty());
  CHECK(buffer.capacity() == 0);
  buffer.reserve(4);
  buffer.append("abcd");
  CHECK(buffer.room().empty());
  buffer.reserve(3);  // never less
  CHECK(buffer.capacity() == 4);
  buffer.reserve(1000);
  CHECK(buffer.view() == "abcd");
  REQUIRE(buffer.room().size() == 996);
  buffer.room()[0] = 'e';
  buffer.grow_by(1);
  CHECK(buffer.view() == "abcde");
}

TEST_CASE("What is dropped makes room for what follows", "[http][byte_buffer]") {
  ByteBuffer buffer;
  buffer.reserve(10);
  buffer.append("0123456789");
  buffer.drop(7);
  CHECK(buffer.view() == "789");
  CHECK(buffer.room().size() == 7);
  buffer.drop(3);
  CHECK(buffer.empty());
  CHECK(buffer.capacity() == 10);
}

TEST_CASE("A buffer that was moved from is empty", "[http][byte_buffer]") {
  ByteBuffer buffer;
  buffer.reserve(5);
  buffer.append("hello");
  const ByteBuffer other = std::exchange(buffer, {});
  CHECK(other.view() == "hello");
  CHECK(buffer.empty());
  CHECK(buffer.capacity() == 0);
}
