# SPDX-License-Identifier: Apache-2.0
# ctest reads this when it starts, once for each test program: one test, PREFIX.Suite, for each suite that the program
# lists. The tests of a suite share a process: under the sanitizers, starting the program costs more than most of them.
#   KG_PROGRAM      the program
#   KG_PREFIX       its layer, since programs may share names of suites
#   KG_PROPERTIES   properties of each test
if(NOT EXISTS "${KG_PROGRAM}")
  add_test(${KG_PREFIX}_test_NOT_BUILT ${KG_PREFIX}_test_NOT_BUILT)
  return()
endif()
execute_process(COMMAND "${KG_PROGRAM}" --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE code TIMEOUT 120)
string(REGEX MATCHALL "\n[^ \n]+\\.( +#[^\n]*)?\n" suites "\n${listed}")
if(NOT code EQUAL 0 OR NOT suites)
  message(FATAL_ERROR "${KG_PROGRAM} lists no tests (${code})")
endif()
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n([^ \n]+)\\..*$" "\\1" suite "${suite}")
  add_test(${KG_PREFIX}.${suite} "${KG_PROGRAM}" "--gtest_filter=${suite}.*")
  set_tests_properties(${KG_PREFIX}.${suite} PROPERTIES ${KG_PROPERTIES})
endforeach()
