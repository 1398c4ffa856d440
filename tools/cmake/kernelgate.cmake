# Shared build rules: the C++ standard, warnings, sanitizers, and three functions. A file belongs to the target of its
# folder by its name: *_test.cpp to the tests, *_bench.cpp to none (kg_bench names it), the rest to the library.
#
#   kg_library(NAME FOLDERS … DEPS … [GENERATED …])  one static library of several folders
#   kg_test(NAME FOLDERS … DEPS …)                   one GoogleTest program of their tests, one test of ctest per suite
#   kg_bench(NAME SOURCES … DEPS …)                  a Google Benchmark program, built on request

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
# With both sanitizers the optimiser doubles the time to compile; core/ gives it back to the arithmetic.
set(KG_FLAGS_OF_ARITHMETIC "${CMAKE_CXX_FLAGS_DEBUG}")
if(KERNELGATE_SANITIZE MATCHES "address" AND NOT KERNELGATE_FUZZ)
  set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
endif()

# Flags of our own programs. Kernels and benchmarks set their own optimisation level.
add_library(kg_flags INTERFACE)
target_compile_options(kg_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
target_include_directories(kg_flags INTERFACE "${CMAKE_SOURCE_DIR}")
# The linked program says how each of its files was compiled; tools/optimised_test.py reads it.
target_compile_options(kg_flags INTERFACE $<$<CONFIG:Release>:-frecord-gcc-switches>)
target_compile_definitions(kg_flags INTERFACE SPDLOG_FMT_EXTERNAL=1)
# The kernels take these without the rest.
add_library(kg_sanitizers INTERFACE)
target_link_libraries(kg_flags INTERFACE kg_sanitizers)
if(KERNELGATE_SANITIZE)
  target_compile_options(kg_sanitizers INTERFACE -fsanitize=${KERNELGATE_SANITIZE} -fno-omit-frame-pointer)
  # A position-dependent program starts without relocating each check's data, which every test would pay for.
  target_compile_options(kg_sanitizers INTERFACE $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>>:-fno-pie>)
  target_link_options(kg_sanitizers INTERFACE
    -fsanitize=${KERNELGATE_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  if(KERNELGATE_SANITIZE MATCHES "undefined")
    if(KERNELGATE_UNCHECKED)
      target_compile_options(kg_sanitizers INTERFACE -fno-sanitize=${KERNELGATE_UNCHECKED})
    endif()
    # A target whose property KG_ARITHMETIC_UNWATCHED is set. Stands behind -fsanitize, which would undo it.
    target_compile_options(kg_sanitizers INTERFACE
      "$<IF:$<BOOL:$<TARGET_PROPERTY:KG_ARITHMETIC_UNWATCHED>>,-fno-sanitize=undefined,-fno-sanitize-recover=undefined>")
  endif()
  if(KERNELGATE_SANITIZE MATCHES "thread")
    target_compile_options(kg_sanitizers INTERFACE -Wno-tsan)
  endif()
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(CURL REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_library(KG_ZSTD zstd REQUIRED)
# Static: a container may lack libseccomp.so.2, and the program is carried there.
find_library(KG_SECCOMP libseccomp.a REQUIRED)
find_package(ZLIB REQUIRED)

# Compiling fmt's text into each file that formats would take 3 to 6 s more of each under the sanitizers.
option(KERNELGATE_FMT_HEADER_ONLY "Compile fmt in: for a program that is carried to a machine without libfmt" OFF)
if(KERNELGATE_FMT_HEADER_ONLY)
  target_link_libraries(kg_flags INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(kg_flags INTERFACE fmt::fmt)
endif()

find_program(KG_MOLD mold)
if(KG_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Several files are compiled as one: half of a small file's time is reading headers (docs/TESTING.md has the figures).
set(KG_UNITY_BATCH 24 CACHE STRING "Files compiled together; 1: each alone")

function(kg_unity NAME)
  if(KG_UNITY_BATCH GREATER 1)
    set_target_properties(${NAME} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${KG_UNITY_BATCH})
  endif()
endfunction()

# kg_files(OUT PATTERN FOLDER…): the files of these folders of this directory, not of folders below them.
function(kg_files OUT PATTERN)
  set(found "")
  foreach(folder IN LISTS ARGN)
    file(GLOB some CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${PATTERN}")
    list(APPEND found ${some})
  endforeach()
  set(${OUT} "${found}" PARENT_SCOPE)
endfunction()

function(kg_library NAME)
  cmake_parse_arguments(ARG "" "" "FOLDERS;GENERATED;DEPS" ${ARGN})
  kg_files(sources "*.cpp" ${ARG_FOLDERS})
  list(FILTER sources EXCLUDE REGEX "(_test|_bench|main)\\.cpp$")
  kg_files(headers "*.hpp" ${ARG_FOLDERS})
  add_library(${NAME} STATIC ${sources} ${ARG_GENERATED})
  set_source_files_properties(${ARG_GENERATED} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${NAME} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${headers})
  target_link_libraries(${NAME} PUBLIC kg_flags ${ARG_DEPS})
  kg_unity(${NAME})
endfunction()

set(KG_SUITES_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/suites.cmake")
function(kg_test NAME)
  if(NOT KERNELGATE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "FOLDERS;SOURCES;DEPS" ${ARGN})
  find_package(GTest REQUIRED)
  kg_files(sources "*_test.cpp" ${ARG_FOLDERS})
  add_executable(${NAME} ${sources} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE kg_flags ${ARG_DEPS} GTest::gtest GTest::gmock)
  if(ARG_FOLDERS)  # a layer's; the kernels' tests need nothing of the product
    target_link_libraries(${NAME} PRIVATE kg_test_support)
  endif()
  if(NOT ARG_SOURCES MATCHES "main")
    target_link_libraries(${NAME} PRIVATE GTest::gtest_main)
  endif()
  # A test's own code runs once: optimising it, or watching its arithmetic, costs a quarter of its compile time each.
  target_compile_options(${NAME} PRIVATE -O0)
  set_target_properties(${NAME} PROPERTIES KG_ARITHMETIC_UNWATCHED ON)
  kg_unity(${NAME})
  string(REGEX REPLACE "^kg_|_test$" "" prefix ${NAME})
  set(suites "${CMAKE_CURRENT_BINARY_DIR}/${NAME}_suites.cmake")
  file(GENERATE OUTPUT "${suites}" CONTENT "set(KG_PROGRAM [==[$<TARGET_FILE:${NAME}>]==])
set(KG_PREFIX ${prefix})
set(KG_PROPERTIES [==[TIMEOUT;900;WORKING_DIRECTORY;${CMAKE_CURRENT_BINARY_DIR}]==])
include([==[${KG_SUITES_SCRIPT}]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${suites}")
endfunction()

function(kg_bench NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(${NAME} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE kg_flags ${ARG_DEPS} benchmark::benchmark benchmark::benchmark_main)
endfunction()
