# Tests of manifests/, certs/ and Dockerfile. They need python3-yaml and openssl; those against a
# real API server are in the list where KUBEBUILDER_ASSETS names a folder of its binaries.
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import yaml" RESULT_VARIABLE no_yaml ERROR_QUIET)
if(no_yaml)
  message(FATAL_ERROR "${Python3_EXECUTABLE} cannot import yaml: apt-get install python3-yaml")
endif()

foreach(subject manifests certificates serve)
  add_test(NAME "manifests: ${subject}"
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/manifests/${subject}_test.py)
  set_tests_properties("manifests: ${subject}" PROPERTIES
    TIMEOUT 120 ENVIRONMENT "PROGRAM=$<TARGET_FILE:tfjob-webhook>")
endforeach()

if(DEFINED ENV{KUBEBUILDER_ASSETS})
  add_test(NAME "manifests: cluster"
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/manifests/api_server.sh
            ${CMAKE_CURRENT_SOURCE_DIR}/manifests/cluster_test.sh)
  set_tests_properties("manifests: cluster" PROPERTIES
    TIMEOUT 300 ENVIRONMENT "KUBEBUILDER_ASSETS=$ENV{KUBEBUILDER_ASSETS}")
endif()
