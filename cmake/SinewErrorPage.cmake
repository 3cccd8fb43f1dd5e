# docs/errors.md as a generated source that implements app/error_page.h.
set(error_page "${PROJECT_SOURCE_DIR}/docs/errors.md")
set(error_page_source "${PROJECT_BINARY_DIR}/generated/error_page.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${error_page}")

function(sinew_write_error_page)
  file(READ "${error_page}" page)
  string(CONCAT text
    "#include \"sinew/app/error_page.h\"\n\n"
    "namespace sinew::app {\nnamespace {\n"
    "constexpr char page[] = R\"sinewpage(${page})sinewpage\";\n"
    "}  // namespace\n\n"
    "std::string_view error_page() { return {page, sizeof page - 1}; }\n"
    "}  // namespace sinew::app\n")
  set(present "")
  if(EXISTS "${error_page_source}")
    file(READ "${error_page_source}" present)
  endif()
  if(NOT text STREQUAL present)
    file(WRITE "${error_page_source}" "${text}")
  endif()
endfunction()

sinew_write_error_page()
