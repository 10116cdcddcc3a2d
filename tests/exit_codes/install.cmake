# The installed package serves a project that has nothing else of ours.
add_test(NAME "exit_codes: the installed package builds a C++20 program"
  COMMAND ${CMAKE_COMMAND}
    -D BUILD=${PROJECT_BINARY_DIR}
    -D SOURCE=${PROJECT_SOURCE_DIR}/tests/exit_codes/install
    -D HEADERS=${PROJECT_SOURCE_DIR}/include/exit_codes
    -D SCRATCH=${CMAKE_CURRENT_BINARY_DIR}/exit_codes_install
    -D CONFIG=$<CONFIG>
    -D GENERATOR=${CMAKE_GENERATOR}
    -D COMPILER=${CMAKE_CXX_COMPILER}
    -D SANITIZE=${TFJOB_SANITIZE}
    -D VERSION=${PROJECT_VERSION}
    -P ${PROJECT_SOURCE_DIR}/tests/exit_codes/install/run.cmake)
set_tests_properties("exit_codes: the installed package builds a C++20 program"
  PROPERTIES TIMEOUT 120)
