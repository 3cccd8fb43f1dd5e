// Writes a page of the viewer as one file.
#pragma once

#include <string>
#include <vector>

namespace sinew {

// The kinds of pages: a run, the subspace or the modes of a scene, or a live simulation.
enum class PageKind { run, subspace, modes, live };

// Writes the page with its blobs, an array for each name (report_blob.h). Without arrays, the page loads the blobs from
// the folder `report` beside it. Throws SimulationError if writing fails.
void write_page_file(const std::string& path, PageKind kind, const std::vector<std::string>& names,
                     const std::vector<std::string>& arrays);

// Returns the page as text.
std::string page_text(PageKind kind, const std::vector<std::string>& names, const std::vector<std::string>& arrays);

}  // namespace sinew
