#include "admission/base64.h"

#include <cstddef>

#include <openssl/evp.h>

namespace admission {

void append_base64(std::string& out, std::string_view text) {
  const std::size_t begin = out.size();
  out.resize(begin + 4 * ((text.size() + 2) / 3) + 1);  // EVP_EncodeBlock ends with a NUL
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + begin),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  out.resize(begin + static_cast<std::size_t>(size));
}

void append_base64_piece(std::string& out, std::string text) {
  text.append((3 - text.size() % 3) % 3, ' ');
  append_base64(out, text);
}

}  // namespace admission
