# The pages that the programs carry, as generated sources: docs/errors.md for `sinew explain`, which implements
# app/error_page.h, web/dist/report.html for the report of a run, which implements io/report_template.h, and
# web/dist/self.html for pages that simulate, which implements io/web_template.h.
set(error_page "${PROJECT_SOURCE_DIR}/docs/errors.md")
set(error_page_source "${PROJECT_BINARY_DIR}/generated/error_page.cpp")
set(report_page "${PROJECT_SOURCE_DIR}/web/dist/report.html")
set(report_template_source "${PROJECT_BINARY_DIR}/generated/report_template.cpp")
set(web_page "${PROJECT_SOURCE_DIR}/web/dist/self.html")
set(web_template_source "${PROJECT_BINARY_DIR}/generated/web_template.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${error_page}" "${report_page}" "${web_page}")

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

# A page is split where sinew puts its data. name: of the header in io, and of its functions.
function(sinew_write_template page name source command)
  file(READ "${page}" text)
  set(mark "<!--sinew-data-->")
  string(FIND "${text}" "${mark}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${page}: expected the mark ${mark}; rebuild it: cd web && npm ci && node ${command}")
  endif()
  string(LENGTH "${mark}" length)
  math(EXPR behind "${at} + ${length}")
  string(SUBSTRING "${text}" 0 ${at} head)
  string(SUBSTRING "${text}" ${behind} -1 tail)
  string(CONCAT text
    "#include \"sinew/io/${name}.h\"\n\n"
    "namespace sinew {\nnamespace {\n"
    "constexpr char ${name}_first[] = R\"sinewpage(${head})sinewpage\";\n"
    "constexpr char ${name}_last[] = R\"sinewpage(${tail})sinewpage\";\n"
    "}  // namespace\n\n"
    "std::string_view ${name}_head() { return {${name}_first, sizeof ${name}_first - 1}; }\n"
    "std::string_view ${name}_tail() { return {${name}_last, sizeof ${name}_last - 1}; }\n"
    "}  // namespace sinew\n")
  sinew_write_if_changed("${source}" "${text}")
endfunction()

sinew_write_error_page()
sinew_write_template("${report_page}" report_template "${report_template_source}" build.mjs)
sinew_write_template("${web_page}" web_template "${web_template_source}" build_self.mjs)
