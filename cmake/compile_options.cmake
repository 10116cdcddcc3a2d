# Flags that every target of this project is built with: warnings are errors, hardening always.
add_library(tfjob_options INTERFACE)

target_compile_options(tfjob_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2
  -fstack-protector-strong -fstack-clash-protection -fcf-protection)
target_compile_definitions(tfjob_options INTERFACE _GLIBCXX_ASSERTIONS)
target_link_options(tfjob_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack -pie)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 takes "literal" + std::string for an overlapping copy when it optimises (GCC bug 105651).
  target_compile_options(tfjob_options INTERFACE -Wno-restrict)
endif()

if(TFJOB_SANITIZE)
  # FORTIFY_SOURCE hides calls from the sanitizers' interceptors.
  target_compile_options(tfjob_options INTERFACE
    -fsanitize=${TFJOB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tfjob_options INTERFACE -fsanitize=${TFJOB_SANITIZE})
  # g++ 12 warns of its own instrumentation (GCC bugs 105562, 105593).
  target_compile_options(tfjob_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
elseif(CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_options(tfjob_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif()

option(TFJOB_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
if(TFJOB_FUZZ)
  target_compile_options(tfjob_options INTERFACE -fsanitize=fuzzer-no-link
    # libstdc++ 12 has <expected> only for compilers that say so of their concepts; clang 19 meets it.
    -Wno-builtin-macro-redefined -D__cpp_concepts=202002L
    # libstdc++ 12 uses what it has deprecated itself (in stable_sort).
    -Wno-deprecated-declarations)
  target_link_options(tfjob_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
