// The hand-written parts of the scene schema, as JSON text.
#pragma once

namespace sinew::schema_text {

extern const char* const top_level;    // the root, without materials
extern const char* const definitions;  // used by the other parts
extern const char* const selection;    // the keys of a selection
extern const char* const body;         // a body and its fixes, loads and springs
extern const char* const contact;      // obstacles and contact
extern const char* const run;          // time, solver, output
extern const char* const sensor;       // a sensor, and what it may name

}  // namespace sinew::schema_text
