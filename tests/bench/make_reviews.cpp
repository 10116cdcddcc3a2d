// Writes the reviews that `make bench` sends: FOLDER/SIZE.json for each SIZE.
//
// Usage: make_reviews FOLDER SIZE...

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/bench/reviews.h"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (int i = 2; i < argc; ++i) {
    const std::size_t size = std::stoul(argv[i]);
    std::ofstream(std::filesystem::path(argv[1]) / (std::string(argv[i]) + ".json"))
        << bench::review_of_size(size);
  }
}
