#pragma once

// Catch2 2 (Debian 12) and 3 (Debian 13) name their headers differently.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
