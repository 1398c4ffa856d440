# Shared build rules: the C++ standard, warnings, sanitizers, and two functions.
#
#   kg_library(NAME SOURCES … HEADERS … DEPS … [PRIVATE_DEPS …])  one static library per folder
#   kg_test(NAME SOURCES … DEPS … [LABELS …] [TIMEOUT s])         one GoogleTest program per folder
#   kg_bench(NAME SOURCES … DEPS …)                              a Google Benchmark program, built on request

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
if(KERNELGATE_SANITIZE MATCHES "address")
  set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
endif()

# Flags of our own programs. Kernels and benchmarks set their own optimisation level.
add_library(kg_flags INTERFACE)
target_compile_options(kg_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
target_include_directories(kg_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(kg_flags INTERFACE SPDLOG_FMT_EXTERNAL=1)
if(KERNELGATE_SANITIZE)
  target_compile_options(kg_flags INTERFACE -fsanitize=${KERNELGATE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(kg_flags INTERFACE -fsanitize=${KERNELGATE_SANITIZE})
  if(KERNELGATE_SANITIZE MATCHES "undefined")
    # A target whose property KG_ARITHMETIC_UNWATCHED is set. Stands behind -fsanitize, which would undo it.
    target_compile_options(kg_flags INTERFACE
      "$<IF:$<BOOL:$<TARGET_PROPERTY:KG_ARITHMETIC_UNWATCHED>>,-fno-sanitize=undefined,-fno-sanitize-recover=undefined>")
  endif()
  if(KERNELGATE_SANITIZE MATCHES "thread")
    target_compile_options(kg_flags INTERFACE -Wno-tsan)
  endif()
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(CURL REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_library(KG_ZSTD zstd REQUIRED)
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

function(kg_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_sources(${NAME} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${ARG_HEADERS})
  target_link_libraries(${NAME} PUBLIC kg_flags ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
endfunction()

function(kg_test NAME)
  if(NOT KERNELGATE_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE kg_flags ${ARG_DEPS} GTest::gtest GTest::gmock GTest::gtest_main)
  # A test's own code runs once: optimising it, or watching its arithmetic, costs a quarter of its compile time each.
  target_compile_options(${NAME} PRIVATE -O0)
  set_target_properties(${NAME} PROPERTIES KG_ARITHMETIC_UNWATCHED ON)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set(properties TIMEOUT ${ARG_TIMEOUT})
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  # An end-to-end test measures: it gets the machine to itself.
  if("e2e" IN_LIST ARG_LABELS)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()

function(kg_bench NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(${NAME} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE kg_flags ${ARG_DEPS} benchmark::benchmark benchmark::benchmark_main)
endfunction()
