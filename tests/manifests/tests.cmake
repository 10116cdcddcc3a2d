# Tests of manifests/, certs/ and Dockerfile. They need python3-yaml and openssl; tests/e2e has those
# against a real API server.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import yaml" RESULT_VARIABLE no_yaml ERROR_QUIET)
if(no_yaml)
  message(FATAL_ERROR "${Python3_EXECUTABLE} cannot import yaml: apt-get install python3-yaml")
endif()

foreach(subject manifests certificates serve enforcer)
  add_test(NAME "manifests: ${subject}"
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/manifests/${subject}_test.py)
  set_tests_properties("manifests: ${subject}" PROPERTIES
    TIMEOUT 120 ENVIRONMENT "PROGRAM=$<TARGET_FILE:tfjob-webhook>")
endforeach()
