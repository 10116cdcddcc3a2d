# Bad clients over real sockets, against the running program.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import pytest" RESULT_VARIABLE no_pytest ERROR_QUIET)
if(no_pytest)
  message(FATAL_ERROR "${Python3_EXECUTABLE} cannot import pytest: apt-get install python3-pytest")
endif()

add_test(NAME "robustness: bad clients harm nobody else"
  COMMAND ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/robustness/test_clients.py)
set_tests_properties("robustness: bad clients harm nobody else" PROPERTIES
  TIMEOUT 300 ENVIRONMENT "PROGRAM=$<TARGET_FILE:tfjob-webhook>;LOAD=$<TARGET_FILE:bench_load>;SANITIZED=${TFJOB_SANITIZE}")
