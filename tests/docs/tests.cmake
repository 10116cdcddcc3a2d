# What the pages say is so: links, the reference of the command line, the commands that are marked.
add_test(NAME "docs: links lead somewhere"
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/links_test.py)
add_test(NAME "docs: command-line.md is what the program says"
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/command_line_test.py $<TARGET_FILE:tfjob-webhook>)
add_test(NAME "docs: the commands that are marked print what the pages say"
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/commands_test.py $<TARGET_FILE:tfjob-webhook>)
set_tests_properties("docs: the commands that are marked print what the pages say" PROPERTIES TIMEOUT 300)
