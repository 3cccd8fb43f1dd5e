// What the fuzz targets share. A target takes any bytes to one reader and lets nothing but InputError be thrown: every
// other exception, a sanitizer's report, a hang or an allocation out of proportion to the input is a defect.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sinew/core/error.h"

namespace sinew::fuzz {

using Target = std::function<void(std::string_view input)>;

// Empty when there is none of that name.
Target find_target(std::string_view name);

// All names, separated by blanks.
std::string target_names();

// Throws std::logic_error unless a message is text, whatever bytes it quotes: UTF-8, which Python and JSON insist on.
void check_message(std::string_view text);

// read(), from which an InputError with a proper message may come.
template <class Read>
void allow_input_error(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    check_message(error.what());
  }
}

// The path of a file of that name which holds `bytes`, in a folder of this process that is removed at its end.
std::string file_with(const std::string& name, std::string_view bytes);

// The folder of those files.
const std::string& scratch_folder();

// Removes the first byte of `input` and gives it; 0 when there is none.
std::uint8_t take_byte(std::string_view& input);

}  // namespace sinew::fuzz
