// Encodes a simulation for viewers (docs/reference/live_protocol.md): mesh, weights, frames.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/report_surface.h"
#include "sinew/live/controls.h"

namespace sinew {

class LiveFrames {
 public:
  // settings: facts and scene as for a report.
  LiveFrames(const System& system, const SinkSettings& settings);

  const std::shared_ptr<const std::string>& mesh() const { return mesh_; }
  const std::vector<Index>& object_vertices(std::size_t object) const { return bodies_[object]; }  // user numbering
  std::size_t body_count() const { return bodies_.size(); }

  // Whether the method has weights of the surface, and the encoded weights.
  static bool has_weights(const Simulation& simulation);
  std::string weights(const Simulation& simulation, std::uint32_t number) const;

  // Encodes positions or coordinates, pulls, and `field` as made by field_part() (empty: none). number() sets the
  // frame's number afterwards.
  std::string frame(const Simulation& simulation, const std::vector<LivePull>& pulls, std::size_t field,
                    const std::string& field_part) const;
  static void number(std::string& frame, std::uint32_t number);

  std::span<const ReportField> fields() const { return surface_.fields(); }
  // Encodes values of field `field` of report_fields on the bodies; O(tets).
  std::string field_part(const Simulation& simulation, std::size_t field) const;

 private:
  const System& system_;
  ReportSurface surface_;
  std::shared_ptr<const std::string> mesh_;
  mutable Points obstacles_;  // 3 x n_all, where frames of reduced methods place moving obstacles; empty: none
  std::vector<std::vector<Index>> bodies_;
  std::vector<std::pair<Index, Index>> place_;  // object and vertex of each user vertex; -1: not on the surface
};

}  // namespace sinew
