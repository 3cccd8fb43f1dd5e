# Compiler flags shared by all targets, as the interface target sinew::flags.
add_library(sinew_flags INTERFACE)
add_library(sinew::flags ALIAS sinew_flags)
target_include_directories(sinew_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wpedantic
  # gcc 12 finds such variables in its own AVX-512 headers and nowhere else here.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# 512-bit vectors pay off in the element kernels; gcc prefers 256 bits unless told.
set(wide_vectors $<$<CXX_COMPILER_ID:GNU>:-mprefer-vector-width=512>)
if(SINEW_ISA STREQUAL native)
  target_compile_options(sinew_flags INTERFACE -march=native ${wide_vectors})
elseif(SINEW_ISA MATCHES "^v[234]$")
  target_compile_options(sinew_flags INTERFACE -march=x86-64-${SINEW_ISA} ${wide_vectors})
elseif(SINEW_ISA STREQUAL portable)
  # v2 for everything; sinew_library() adds the options of v3 and v4, which come later on the command line and win.
  add_compile_options(-march=x86-64-v2)
elseif(NOT SINEW_ISA STREQUAL default)
  message(FATAL_ERROR "SINEW_ISA: found \"${SINEW_ISA}\", expected native, v2, v3, v4, default or portable")
endif()

# Eigen must not start threads of its own: oneTBB alone is parallel here.
target_compile_definitions(sinew_flags INTERFACE EIGEN_DONT_PARALLELIZE)
if(SINEW_ISA STREQUAL portable)
  # Eigen aligns by the instructions that it is compiled for. The levels share code, so they must agree.
  target_compile_definitions(sinew_flags INTERFACE EIGEN_MAX_ALIGN_BYTES=64 EIGEN_MAX_STATIC_ALIGN_BYTES=64)
  add_compile_options(-fno-semantic-interposition -fvisibility-inlines-hidden)
endif()

if(SINEW_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SINEW_SANITIZE needs clang (found ${CMAKE_CXX_COMPILER_ID}): only it leaves headers of "
      "libraries alone by a list (cmake/sanitize_ignore.txt). Use the presets asan, tsan or fuzz.")
  endif()
  # Relative to the build folder, where the compiler runs, as all paths that the compiler cache sees.
  set(ignore_list "${PROJECT_SOURCE_DIR}/cmake/sanitize_ignore.txt")
  file(RELATIVE_PATH relative_ignore_list "${PROJECT_BINARY_DIR}" "${ignore_list}")
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer "-fsanitize-ignorelist=${relative_ignore_list}")
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all)
endif()

# Bounds of spans, vectors and iterators are checked where speed does not matter.
if(SINEW_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Debug)
  target_compile_definitions(sinew_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the checkout: another clone of the same sources finds the same objects.
  set(ccache_settings "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "CCACHE_NOHASHDIR=1"
    "CCACHE_SLOPPINESS=pch_defines,time_macros")  # else it declines whatever uses a precompiled header
  if(SINEW_SANITIZE)
    list(APPEND ccache_settings "CCACHE_EXTRAFILES=${ignore_list}")  # ccache does not know it for an input
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env ${ccache_settings} "${CCACHE_PROGRAM}")
endif()

# sinew_batches(RESULT NAME ROOT SOURCE...): the sources, eight to a file, so that what they include is compiled once for all
# of them: generated/batches/NAME_0.cpp, ... with lines #include "PATH BELOW ROOT", where ROOT is an include folder. Sources
# with compile options of their own stay apart. (CMake's UNITY_BUILD writes absolute paths, with which the compiler cache
# would serve one clone only.)
function(sinew_batches result name root)
  set(files "")
  set(batches "")
  set(count 0)
  foreach(source ${ARGN})
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    if(options OR NOT SINEW_BATCHES)
      list(APPEND files "${source}")
    else()
      math(EXPR batch "${count} / 8")
      math(EXPR count "${count} + 1")
      file(RELATIVE_PATH path "${root}" "${source}")
      string(APPEND text_${batch} "#include \"${path}\"\n")
      list(APPEND batches ${batch})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES batches)
  foreach(batch ${batches})
    set(file "${PROJECT_BINARY_DIR}/generated/batches/${name}_${batch}.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${batch}}" @ONLY)  # writes only what has changed
    list(APPEND files "${file}")
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# sinew_precompile(TARGET HEADER...): gcc reads these headers in a digested form. (clang's names absolute paths, with which
# the compiler cache would serve one clone only; with clang all is compiled in batches instead.)
# sinew_precompile(TARGET OTHER): TARGET uses those of the target OTHER, which has the same options.
function(sinew_precompile target)
  if(NOT SINEW_BATCHES OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  if(TARGET "${ARGV1}")
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
set(SINEW_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numeric>
  <optional> <set> <span> <string> <utility> <vector> <experimental/simd> <Eigen/Core> <Eigen/Geometry> <fmt/format.h>)
# The folders with precompiled headers, and which: each folder after them in the list uses those of the last one before it.
set(sinew_precompiled_core ${SINEW_COMMON_HEADERS})
set(sinew_precompiled_model ${SINEW_COMMON_HEADERS} <sinew/model/system.h>)
set(sinew_precompiled_solver ${SINEW_COMMON_HEADERS} <sinew/solver/descent_direction.h>)

# sinew_kernels(FOLDER FILE...): sources in which gcc may fuse multiplications with additions. Each compiles alone: gcc
# inlines by the size of the whole file, and where it inlines it fuses, so in a batch the bits of results would depend on
# the neighbours of a file.
function(sinew_kernels folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/\\1.cpp" OUTPUT_VARIABLE files)
  set_property(DIRECTORY APPEND PROPERTY SINEW_APART ${files})
  set_property(DIRECTORY APPEND PROPERTY SINEW_KERNELS ${files})
endfunction()

# sinew_apart(FOLDER FILE...): other sources that compile alone.
function(sinew_apart folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/\\1.cpp" OUTPUT_VARIABLE files)
  set_property(DIRECTORY APPEND PROPERTY SINEW_APART ${files})
endfunction()

# The levels of the x86-64 instruction set that the engine is compiled for, the lowest first: one, but in a portable build.
set(sinew_levels ${SINEW_ISA})
if(SINEW_ISA STREQUAL portable)
  set(sinew_levels v2 ${SINEW_HIGHER_LEVELS})
endif()

# sinew_folder_targets(RESULT FOLDER): its libraries, one for each level: sinew_FOLDER, sinew_FOLDER_v3, sinew_FOLDER_v4, or
# the first alone where all levels share it.
function(sinew_folder_targets result name)
  set(targets sinew_${name})
  foreach(level ${sinew_levels})
    if(TARGET sinew_${name}_${level})
      list(APPEND targets sinew_${name}_${level})
    endif()
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# sinew_library(NAME [ANY_LEVEL] USES FOLDER... DEPENDS TARGET...): the library of folder NAME from all its sources. USES
# names the folders that it includes, whose libraries it links; DEPENDS names other targets. A portable build compiles it
# for each level, or for the lowest alone with ANY_LEVEL. Sources are compiled in batches, without fusing, unless they are
# kernels or named apart.
function(sinew_library name)
  cmake_parse_arguments(ARG "ANY_LEVEL" "" "USES;DEPENDS" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY SINEW_FOLDERS ${name})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  get_property(kernels DIRECTORY PROPERTY SINEW_KERNELS)
  get_property(all_apart DIRECTORY PROPERTY SINEW_APART)
  set(apart "")
  foreach(source ${sources})
    if(source IN_LIST all_apart)
      list(APPEND apart "${source}")
    endif()
  endforeach()
  list(REMOVE_ITEM sources "" ${apart})
  sinew_batches(sources ${name} "${PROJECT_SOURCE_DIR}/src" ${sources})
  list(APPEND sources ${apart})
  foreach(source ${sources})
    if(NOT source IN_LIST kernels)
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off)
    endif()
  endforeach()

  # The objects of a shared library are linked once, in sinew_engine(): folders of a static one link what they use.
  set(kind STATIC)
  if(SINEW_SHARED)
    set(kind OBJECT)
  endif()
  set(levels ${sinew_levels})
  list(POP_FRONT levels lowest)
  if(ARG_ANY_LEVEL)
    set(levels "")
  endif()
  foreach(level "" ${levels})
    set(suffix "")
    if(level)
      set(suffix _${level})
    endif()
    set(target sinew_${name}${suffix})
    add_library(${target} ${kind} ${sources})
    if(level)
      target_compile_options(${target} PRIVATE -march=x86-64-${level} ${wide_vectors})
    endif()
    set(uses "")
    foreach(folder ${ARG_USES})
      if(TARGET sinew_${folder}${suffix})
        list(APPEND uses sinew_${folder}${suffix})
      else()
        list(APPEND uses sinew_${folder})
      endif()
    endforeach()
    target_link_libraries(${target} PUBLIC sinew::flags ${uses} ${ARG_DEPENDS})
    if(DEFINED sinew_precompiled_${name})
      sinew_precompile(${target} ${sinew_precompiled_${name}})
      set(sinew_precompiled_by ${name} PARENT_SCOPE)
    else()
      sinew_precompile(${target} sinew_${sinew_precompiled_by}${suffix})
    endif()
  endforeach()
  if(SINEW_SHARED)
    add_library(sinew::${name} ALIAS sinew_engine)
  else()
    add_library(sinew::${name} ALIAS sinew_${name})
  endif()
endfunction()
