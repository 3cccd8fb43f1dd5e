# Compiler flags shared by all targets, as the interface target sinew::flags.
add_library(sinew_flags INTERFACE)
add_library(sinew::flags ALIAS sinew_flags)
target_include_directories(sinew_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wpedantic
  # gcc 12 finds such variables in its own AVX-512 headers and nowhere else here.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

if(SINEW_NATIVE)
  # 512-bit vectors pay off in the element kernels; gcc prefers 256 bits unless told.
  target_compile_options(sinew_flags INTERFACE -march=native $<$<CXX_COMPILER_ID:GNU>:-mprefer-vector-width=512>)
endif()

# Eigen must not start threads of its own: oneTBB alone is parallel here.
target_compile_definitions(sinew_flags INTERFACE EIGEN_DONT_PARALLELIZE)

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
  set(ccache_settings "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "CCACHE_NOHASHDIR=1")
  if(SINEW_SANITIZE)
    list(APPEND ccache_settings "CCACHE_EXTRAFILES=${ignore_list}")  # ccache does not know it for an input
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env ${ccache_settings} "${CCACHE_PROGRAM}")
endif()

# sinew_library(NAME DEPENDS ... ): the library of folder NAME from all its sources.
function(sinew_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp")
  if(NOT sources)
    add_library(sinew_${name} INTERFACE)
    target_link_libraries(sinew_${name} INTERFACE sinew::flags ${ARG_DEPENDS})
  else()
    add_library(sinew_${name} STATIC ${sources})
    target_link_libraries(sinew_${name} PUBLIC sinew::flags ${ARG_DEPENDS})
  endif()
  add_library(sinew::${name} ALIAS sinew_${name})
endfunction()
