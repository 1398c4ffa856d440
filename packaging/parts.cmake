# What each kind of package holds: a Debian package names its libraries, the archive brings them.
if(CPACK_GENERATOR STREQUAL DEB)
  set(CPACK_COMPONENTS_ALL program)
else()
  set(CPACK_COMPONENTS_ALL program libraries)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_PACKAGE_FILE_NAME "kernelgate-${CPACK_PACKAGE_VERSION}-linux-x86_64")
endif()
