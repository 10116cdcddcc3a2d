# The clients in Go and Python, each by the tests of its own language. python3-pytest is looked for in
# tests/robustness/tests.cmake.
find_program(GO_EXECUTABLE go)
if(NOT GO_EXECUTABLE)
  message(FATAL_ERROR "there is no go in the PATH: apt-get install golang-go")
endif()

foreach(command vet test)
  add_test(NAME "clients: go ${command}" COMMAND ${GO_EXECUTABLE} ${command} ./...
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/clients/go)
  # Nothing is fetched, and vectors.json is read again even if no Go file changed.
  set_tests_properties("clients: go ${command}" PROPERTIES TIMEOUT 300
    ENVIRONMENT "GOTOOLCHAIN=local;GOPROXY=off;GOWORK=off;CGO_ENABLED=0;GOFLAGS=-count=1")
endforeach()

add_test(NAME "clients: pytest" COMMAND ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/clients/python)
set_tests_properties("clients: pytest" PROPERTIES TIMEOUT 300 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
