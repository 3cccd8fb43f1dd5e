// Writes the frames for report.html to the folder `report` as they come. The page is usable from the first frame on.
#pragma once

#include "sinew/io/frame_sink.h"
#include "sinew/io/report_page.h"
#include "sinew/io/report_store.h"
#include "sinew/io/report_surface.h"

namespace sinew {

// Returns the header of a page's mesh (report_format.h).
Json report_mesh_header(const SinkSettings& settings, const System& system, const ReportSurface& surface);

class ReportFrames : public FrameSink {
 public:
  ReportFrames(const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;
  void finish(const RunRecord& record) override;

  static void remove_all(const std::string& run_folder);

  std::size_t page_limit = ReportPage{}.page_limit;  // largest page that contains its data [bytes]

 private:
  ReportPage page(const Json& findings, const std::vector<std::string>& warnings) const;

  SinkSettings settings_;
  const System& system_;
  ReportSurface surface_;
  ReportStore store_;
  std::vector<std::string> earlier_warnings_;  // warnings of the runs that this one continues
  bool started_ = false;                       // whether mesh and page are written
  std::size_t told_ = 0;                       // number of frames that run.js lists
};

}  // namespace sinew
