#include "targets.h"

#include "sinew/app/http_request.h"

namespace sinew::fuzz {

void http_request(std::string_view input) {
  app::parse_request(input);
}

}  // namespace sinew::fuzz
