# Turns CUDA on and defines
#   kernel_suite(NAME BENCH bench.cpp CHECK check.cpp KERNELS a.cu …)   the programs NAME_bench and NAME_check
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90a)
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
# CMake 3.25 does not know that nvcc speaks C++20.
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()
set(CMAKE_CUDA_STANDARD 20)

set(KG_EXTRA_WORK_PERMILLE 0 CACHE STRING "Thousandths of extra work that the suites do")
option(KG_NO_WORK "Suites whose kernels are launched on nothing" OFF)

function(kernel_suite NAME)
  cmake_parse_arguments(ARG "" "BENCH;CHECK" "KERNELS" ${ARGN})
  add_library(${NAME}_kernels STATIC ${ARG_KERNELS})
  target_link_libraries(${NAME}_kernels PUBLIC kernel_flags CUDA::cudart_static)
  add_executable(${NAME}_bench ${ARG_BENCH})
  target_link_libraries(${NAME}_bench PRIVATE ${NAME}_kernels timing_kit)
  target_compile_definitions(${NAME}_bench PRIVATE
    KG_EXTRA_WORK_PERMILLE=${KG_EXTRA_WORK_PERMILLE} KG_NO_WORK=$<BOOL:${KG_NO_WORK}>)
  add_executable(${NAME}_check ${ARG_CHECK})
  target_link_libraries(${NAME}_check PRIVATE ${NAME}_kernels device_check)
endfunction()
