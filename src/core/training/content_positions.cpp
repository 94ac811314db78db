#include "training/content_positions.hpp"

#include "training/position_schemes.hpp"

namespace ropewalk {

std::unique_ptr<PositionScheme> make_content_position_scheme(const PositionSetup& setup) {
  switch (setup.options.kind) {
    case PositionKind::ssmax:
      return make_ssmax(setup);
    case PositionKind::cable:
      return make_prefix_gates(setup);
    case PositionKind::wall:
      return make_wall(setup);
    case PositionKind::selective_rope:
      return make_selective_rope(setup);
    case PositionKind::repo:
      return make_repo(setup);
    case PositionKind::grape_m:
      return make_grape_m(setup);
    case PositionKind::grape_a:
      return make_grape_a(setup);
    case PositionKind::path:
      return make_path(setup);
    case PositionKind::pope:
      return make_pope(setup);
    case PositionKind::stick_breaking:
      return make_stick_breaking(setup);
    case PositionKind::grape_ap:
    case PositionKind::row_gates:
      return make_edge_gates(setup);
    case PositionKind::selective:
      return make_selective(setup);
    default:
      return make_position_scheme(setup);
  }
}

}  // namespace ropewalk
