#include "sinew/io/report_frames.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "sinew/core/version.h"
#include "sinew/io/look_images.h"
#include "sinew/io/report_format.h"
#include "sinew/io/report_sound.h"
#include "sinew/io/requested_fields.h"
#include "sinew/io/user_cells.h"
#include "sinew/scene/inline_array.h"
#include "sinew/scene/material_response.h"

namespace sinew {
namespace {

// run.js is rewritten when the frames have grown by this part: its cost a step then stays bounded.
constexpr std::size_t refresh_parts = 8;

const char* mode_name(Integrator integrator) {
  return integrator == Integrator::statics ? "static" : "dynamic";
}

// "locking: ...; what to do", of those that are only worth knowing with a word before it.
std::string finding_text(const Json& finding) {
  const std::string remedy = finding.value("remedy", "");
  return fmt::format("{}{}: {}{}{}", finding.value("severity", "") == "remark" ? "remark: " : "",
                     finding.value("kind", ""), finding.value("message", ""), remedy.empty() ? "" : "; ", remedy);
}

// Without measured curves scenes may be partial, as those of tests.
Json fits_of(const SceneText& scene) {
  return scene.measured.empty() ? Json::object() : measured_responses(scene.completed, scene.measured);
}

}  // namespace

ReportFrames::ReportFrames(const SinkSettings& settings, const System& system)
    : settings_(settings), system_(system), surface_(system), store_(settings.folder) {
  surface_.show(shown_fields(settings.fields, settings.nodal_fields));
  surface_.hold_inside();
}

void ReportFrames::check_resume(int step) const {
  ReportStore store(settings_.folder);
  if (store.has_mesh()) store.mesh_header();  // of this version
  store.read(step);
}

void ReportFrames::keep_until(int step, const std::map<int, double>& /*times*/) {
  if (step >= 0) earlier_warnings_ = stored_warnings(store_);
  store_.keep_until(step);
}

Json report_mesh_header(const SinkSettings& settings, const System& system, const ReportSurface& surface) {
  Json fields = Json::array();
  for (const ReportField& field : surface.fields()) fields.push_back({{"name", field.name}, {"unit", field.unit}});
  LookImages images;
  Json looks = Json::array();
  for (const Look& look : system.material_looks) looks.push_back(images.look(look));
  const Setup& setup = system.setup;
  const Vec3& g = setup.gravity;
  return {{"format", report_format_version},
          {"name", settings.facts.scene},
          {"method", settings.facts.method},
          {"mode", mode_name(setup.time.integrator)},
          {"time_step", setup.time.step},
          {"steps", setup.time.steps},
          {"every", settings.every},
          {"gravity", {g.x(), g.y(), g.z()}},
          {"tolerance", setup.solver.tolerance},
          {"sensors", sensor_plots(system.sensors)},
          {"contact_distance", setup.contact.enabled ? system.contact_distance : 0.0},
          {"facts",
           {{"scene", settings.facts.scene},
            {"method", settings.facts.method},
            {"method_reason", setup.solver.method_reason.empty() ? Json() : Json(setup.solver.method_reason)},
            {"vertices", system.user_vertex_count},
            {"tets", user_tets_of(system)},
            {"dofs", 3 * system.dynamic_count},
            {"version", version}}},
          {"objects", surface.objects()},
          {"planes", surface.planes()},
          {"materials", system.material_names},
          {"looks", looks},
          {"images", images.images()},
          {"fields", fields},
          {"fits", fits_of(settings.scene)},
          {"scene", with_short_arrays(settings.scene.completed)}};
}

ReportPage ReportFrames::page(const Json& findings, const std::vector<std::string>& warnings) const {
  ReportPage page;
  page.data = ReportData::beside;
  page.page_limit = page_limit;
  page.warnings = earlier_warnings_;
  const auto add = [&](const std::string& text) {
    if (std::ranges::find(page.warnings, text) == page.warnings.end()) page.warnings.push_back(text);
  };
  for (const Json& finding : findings)
    if (finding.value("kind", "") != "note") add(finding_text(finding));  // notes are among the warnings
  for (const std::string& text : warnings) {
    // Those of single steps are in the rows; their texts have several lines, which "." does not match.
    static const std::regex of_step("step [0-9]+ did not converge( either)?: ");
    if (!std::regex_search(text, of_step, std::regex_constants::match_continuous)) add(text);
  }
  return page;
}

void ReportFrames::write(Frame& frame) {
  if (!started_) store_.write_mesh(report_mesh_header(settings_, system_, surface_), surface_.mesh_data());
  store_.append(surface_.encode(frame));
  const std::size_t frames = store_.index().steps.size();
  if (started_ && (frames - told_) * refresh_parts < frames) return;
  const ReportPage now =
      page(settings_.findings, settings_.warnings ? settings_.warnings->warnings() : std::vector<std::string>{});
  write_report_run(settings_.folder, store_, now);
  if (!started_) write_report_page(settings_.folder, store_, now);
  told_ = frames;
  started_ = true;
}

void ReportFrames::finish(const RunRecord& record) {
  if (store_.index().steps.empty()) return;
  ReportPage last = page(record.summary.value("findings", Json::array()), record.warnings);
  last.summary = record.summary;
  last.data = ReportData::whole;
  write_report_sound(settings_.folder, store_);
  write_report_run(settings_.folder, store_, last);
  write_report_page(settings_.folder, store_, last);
}

void ReportFrames::remove_all(const std::string& run_folder) {
  remove_file(run_folder + "/" + report_page_name);
  ReportStore::remove_all(run_folder);
}

}  // namespace sinew
