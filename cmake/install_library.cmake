# Installs the public library as the CMake package exit_codes, target exit_codes::exit_codes.
# Alone: cmake --install BUILD --component exit_codes.
include(CMakePackageConfigHelpers)

set(exit_codes_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/exit_codes)

target_compile_features(exit_codes INTERFACE cxx_std_20)
# Everything that the library links is headers or flags of its own build: whoever links it needs
# none of that.
set_property(TARGET exit_codes PROPERTY INTERFACE_LINK_LIBRARIES "")

install(TARGETS exit_codes EXPORT exit_codes_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT exit_codes
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/exit_codes
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT exit_codes FILES_MATCHING PATTERN "*.h")
install(EXPORT exit_codes_targets NAMESPACE exit_codes:: FILE exit_codes-targets.cmake
  DESTINATION ${exit_codes_package_dir} COMPONENT exit_codes)

file(WRITE ${PROJECT_BINARY_DIR}/exit_codes-config.cmake
  "include(\${CMAKE_CURRENT_LIST_DIR}/exit_codes-targets.cmake)\n")
# Before 1.0 a minor version may break what uses the one before.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/exit_codes-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/exit_codes-config.cmake
  ${PROJECT_BINARY_DIR}/exit_codes-config-version.cmake
  DESTINATION ${exit_codes_package_dir} COMPONENT exit_codes)

# For builds without CMake: pkg-config --cflags --libs exit_codes.
file(RELATIVE_PATH EXIT_CODES_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" EXIT_CODES_PC_TO_PREFIX "${EXIT_CODES_PC_TO_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/exit_codes.pc.in ${PROJECT_BINARY_DIR}/exit_codes.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/exit_codes.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT exit_codes)
