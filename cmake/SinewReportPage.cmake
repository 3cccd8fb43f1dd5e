# The built page, web/dist/report.html, as a generated source that implements io/report_template.h. It is split where
# sinew puts the data of a run. (Written as bytes: CMake's own substitution would change the program in it.)
set(report_page "${PROJECT_SOURCE_DIR}/web/dist/report.html")
set(report_template_source "${PROJECT_BINARY_DIR}/generated/report_template.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${report_page}")

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
  set(present "")
  if(EXISTS "${report_template_source}")
    file(READ "${report_template_source}" present)
  endif()
  if(NOT text STREQUAL present)
    file(WRITE "${report_template_source}" "${text}")
  endif()
endfunction()

sinew_write_report_template()
