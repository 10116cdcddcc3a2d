# add_module(NAME [PUBLIC lib...] [PRIVATE lib...]): the static library of src/NAME, and a line in
# module_links.txt, which the include check reads.
set_property(GLOBAL PROPERTY tfjob_module_links "")

function(add_module name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:tfjob_options>)
  string(JOIN " " links ${ARG_PUBLIC} ${ARG_PRIVATE})
  set_property(GLOBAL APPEND_STRING PROPERTY tfjob_module_links "${name}: ${links}\n")
endfunction()

# Writes the links of all modules where the include check finds them; to be called behind the last
# add_module.
function(write_module_links)
  get_property(links GLOBAL PROPERTY tfjob_module_links)
  file(WRITE ${PROJECT_BINARY_DIR}/module_links.txt "${links}")
endfunction()
