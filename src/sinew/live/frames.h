// Encodes a simulation for viewers (docs/reference/live_protocol.md): mesh, weights and frames.
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
  // settings: facts about the run, and the scene, as for a report.
  LiveFrames(const System& system, const SinkSettings& settings);

  const std::shared_ptr<const std::string>& mesh() const { return mesh_; }
  const std::vector<Index>& object_vertices(std::size_t object) const { return bodies_[object]; }  // user numbering
  std::size_t body_count() const { return bodies_.size(); }

  // has_weights(): whether the method moves the surface by weights. weights(): these weights, encoded.
  static bool has_weights(const Simulation& simulation);
  std::string weights(const Simulation& simulation, std::uint32_t number) const;

  // Encodes a frame: positions or coordinates, pulls, and `field` with its part from field_part() (empty: no field).
  // number() sets the frame's number afterwards.
  std::string frame(const Simulation& simulation, const std::vector<LivePull>& pulls, std::size_t field,
                    const std::string& field_part) const;
  static void number(std::string& frame, std::uint32_t number);

  std::vector<ReportField> fields() const { return surface_.fields(); }
  // Encodes the values of field `field` (index in fields()) on the bodies. Costs O(tets).
  std::string field_part(const Simulation& simulation, std::size_t field) const;

 private:
  const System& system_;
  ReportSurface surface_;
  std::shared_ptr<const std::string> mesh_;
  mutable Points obstacles_;  // 3 x n_all: frames of reduced methods place obstacles here
  std::vector<std::vector<Index>> bodies_;
  std::vector<std::pair<Index, Index>> place_;  // by user vertex: object, and number on its surface or -1
};

}  // namespace sinew
