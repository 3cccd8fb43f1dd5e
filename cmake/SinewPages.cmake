# The pages that the programs carry, as generated sources: docs/errors.md for `sinew explain`, which implements
# app/error_page.h, and web/dist/report.html for the report of a run, which implements io/report_template.h.
set(error_page "${PROJECT_SOURCE_DIR}/docs/errors.md")
set(error_page_source "${PROJECT_BINARY_DIR}/generated/error_page.cpp")
set(report_page "${PROJECT_SOURCE_DIR}/web/dist/report.html")
set(report_template_source "${PROJECT_BINARY_DIR}/generated/report_template.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${error_page}" "${report_page}")

# Keeps the time of a file that has this text already, so that nothing is compiled again. file(CONFIGURE) does so too, but
# would substitute @…@ in the pages.
function(sinew_write_if_changed file text)
  set(present "")
  if(EXISTS "${file}")
    file(READ "${file}" present)
  endif()
  if(NOT text STREQUAL present)
    file(WRITE "${file}" "${text}")
  endif()
endfunction()

function(sinew_write_error_page)
  file(READ "${error_page}" page)
  string(CONCAT text
    "#include \"sinew/app/error_page.h\"\n\n"
    "namespace sinew::app {\nnamespace {\n"
    "constexpr char page[] = R\"sinewpage(${page})sinewpage\";\n"
    "}  // namespace\n\n"
    "std::string_view error_page() { return {page, sizeof page - 1}; }\n"
    "}  // namespace sinew::app\n")
  sinew_write_if_changed("${error_page_source}" "${text}")
endfunction()

# The page is split where sinew puts the data of a run.
function(sinew_write_report_template)
  file(READ "${report_page}" page)
  set(mark "<!--sinew-data-->")
  string(FIND "${page}" "${mark}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${report_page}: expected the mark ${mark}; rebuild it: cd web && npm ci && npm run build")
  endif()
  string(LENGTH "${mark}" length)
  math(EXPR behind "${at} + ${length}")
  string(SUBSTRING "${page}" 0 ${at} head)
  string(SUBSTRING "${page}" ${behind} -1 tail)
  string(CONCAT text
    "#include \"sinew/io/report_template.h\"\n\n"
    "namespace sinew {\nnamespace {\n"
    "constexpr char head[] = R\"sinewpage(${head})sinewpage\";\n"
    "constexpr char tail[] = R\"sinewpage(${tail})sinewpage\";\n"
    "}  // namespace\n\n"
    "std::string_view report_template_head() { return {head, sizeof head - 1}; }\n"
    "std::string_view report_template_tail() { return {tail, sizeof tail - 1}; }\n"
    "}  // namespace sinew\n")
  sinew_write_if_changed("${report_template_source}" "${text}")
endfunction()

sinew_write_error_page()
sinew_write_report_template()
