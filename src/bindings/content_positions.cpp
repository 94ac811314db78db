// The binary of more position schemes: its trainers know all of them.
#include "training/content_positions.hpp"

namespace ropewalk::bindings {

// Replaces the function of trainer.cpp.
PositionFactory* position_factory() { return make_content_position_scheme; }

}  // namespace ropewalk::bindings
