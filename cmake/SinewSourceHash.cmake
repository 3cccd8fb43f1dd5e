# A generated source with the hash of other sources, so that what a program keeps on disk is known by the code that made it.
# Included: sinew_source_hash(FOLDER HEADER FUNCTION FILE...) adds to a folder's library a source that implements
# std::string_view FUNCTION() of a header; files are relative to src/, so that every clone has the same hash. As a script
# (cmake -P) it writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(text "")
  foreach(file ${FILES})
    file(SHA256 "${SOURCES}/${file}" hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  string(CONFIGURE [[
#include "@HEADER@"

namespace sinew {

std::string_view @FUNCTION@() {
  return "@hash@";
}

}  // namespace sinew
]] source @ONLY)
  file(WRITE "${OUTPUT}" "${source}")
  return()
endif()

function(sinew_source_hash folder header function)
  set(root "${PROJECT_SOURCE_DIR}/src")
  set(output "${PROJECT_BINARY_DIR}/generated/${function}.cpp")
  list(TRANSFORM ARGN PREPEND "${root}/" OUTPUT_VARIABLE paths)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DHEADER=${header}" "-DFUNCTION=${function}" "-DSOURCES=${root}"
      "-DFILES=${ARGN}" -P "${PROJECT_SOURCE_DIR}/cmake/SinewSourceHash.cmake"
    DEPENDS ${paths} "${PROJECT_SOURCE_DIR}/cmake/SinewSourceHash.cmake" COMMENT "${function}" VERBATIM)
  sinew_folder_targets(targets ${folder})
  foreach(target ${targets})
    target_sources(${target} PRIVATE "${output}")
  endforeach()
endfunction()
