// Where the tests find files outside their own sources.
#pragma once

#include <string>

namespace sinew::test {

// The root of the checkout.
std::string source_folder();

// The outside test data: $SINEW_TEST_DATA, else the folder beside the checkout; empty when there is none.
std::string data_folder();

}  // namespace sinew::test
