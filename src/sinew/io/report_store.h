// The folder `report` of a run: the mesh, and the frames in chunks (layout: report_format.h). Frames are added to a
// chunk until it is large enough. Every file is complete at any time.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/report_surface.h"

namespace sinew {

// Facts about the frames in the folder.
struct ReportIndex {
  std::vector<int> steps;
  std::vector<double> times;                                  // [s]
  std::vector<int> chunks;                                    // number of frames in each chunk
  std::vector<ValueRange> ranges;                             // ranges of the fields over all frames; empty: no frame
  std::vector<std::vector<Spread>> spreads;                   // spreads of the fields, by frame
  std::vector<std::vector<std::vector<Spread>>> by_material;  // by field, then by material, then by frame; may be empty
  std::array<ValueRange, 3> box;                              // bounding box of the bodies over all frames [m]
  std::vector<std::array<ValueRange, 3>> focus;               // boxes of the action, by frame [m]
};

inline constexpr const char* report_sound_name = "sound";  // of a blob that a run without sound does not have

class ReportStore {
 public:
  // folder: that of the run. Reads and changes nothing yet.
  explicit ReportStore(std::string folder);

  // Reads the frames up to `step`. Throws InputError naming a file that is damaged.
  void read(int step);

  // Like read(), and removes later frames from the files. Throws SimulationError if writing fails.
  void keep_until(int step);

  // Adds a frame. Throws SimulationError naming the path; earlier frames stay.
  void append(const EncodedFrame& frame);

  void write_mesh(const Json& header, const std::string& data) const;
  bool has_mesh() const;

  // Returns the header of the mesh. Throws InputError naming the file if it is missing, damaged, or of another version.
  Json mesh_header() const;

  const ReportIndex& index() const { return index_; }

  // Names of all blobs that a page needs, and their arrays. Throws InputError naming a file that is damaged.
  std::vector<std::string> blob_names() const;
  std::string blob_array(const std::string& name) const;
  std::size_t blob_bytes(const std::string& name) const;
  void write_blob(const std::string& name, const Json& header, const std::string& data) const;
  std::string blob_path(const std::string& name) const;
  bool has_sound() const;

  // Returns the first header of a blob, or null if there is no such file. Throws InputError naming a file that is
  // damaged.
  Json blob_header(const std::string& name) const;

  // Deletes the files that a store writes. Other files stay.
  static void remove_all(const std::string& folder);

 private:
  struct Chunk {
    std::string text;  // headers and data of its frames, as in the file
    int frames = 0;

    void add(const std::string& frame);
  };

  Chunk read_chunk(const std::string& name, int step);
  void write_chunk(int number, const Chunk& chunk) const;
  void count(const Json& header);

  std::string folder_;
  ReportIndex index_;
  Chunk last_;                     // the chunk to which frames are added
  std::size_t earlier_bytes_ = 0;  // size of the frames in the chunks before it [bytes]
};

}  // namespace sinew
