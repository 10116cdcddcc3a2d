# Installs the library of BUILD below SCRATCH, then builds and runs the project in SOURCE with it: by
# CMake's package, and by pkg-config.
cmake_minimum_required(VERSION 3.25)

set(prefix ${SCRATCH}/prefix)
# An installed program of a sanitized library needs the sanitizer's run time as well.
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()

file(REMOVE_RECURSE ${SCRATCH})
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component exit_codes
    --config "${CONFIG}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G ${GENERATOR} --no-warn-unused-cli
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags} -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -D EXIT_CODES_VERSION=${VERSION}
    -D HEADERS=${HEADERS}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${SCRATCH}/build --parallel 2
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${SCRATCH}/build/consumer
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)

set(expected "139 (SIGSEGV, signal 11) is permanent: profile kubeflow lists it\n")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "The installed library said:\n${output}instead of:\n${expected}")
endif()

# The same without CMake's package, from where the installation was moved to.
set(moved ${SCRATCH}/moved)
file(RENAME ${prefix} ${moved})
file(GLOB_RECURSE description ${moved}/exit_codes.pc)
cmake_path(GET description PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})
execute_process(
  COMMAND pkg-config --cflags --libs "exit_codes = ${VERSION}"
  OUTPUT_VARIABLE flags_of_package OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags_of_package UNIX_COMMAND "${flags_of_package}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 ${flags} ${SOURCE}/main.cpp ${flags_of_package}
    -o ${SCRATCH}/consumer_by_pkg_config
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${SCRATCH}/consumer_by_pkg_config
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "By pkg-config the library said:\n${output}instead of:\n${expected}")
endif()
