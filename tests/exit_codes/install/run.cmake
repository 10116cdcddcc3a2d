# Installs the library of BUILD below SCRATCH, then builds and runs the project in SOURCE with it.
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
