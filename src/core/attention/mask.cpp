#include "attention/mask.hpp"

#include <algorithm>

namespace ropewalk {

KeyRange visible_keys(Causal causal, std::size_t query, std::size_t queries, std::size_t keys) {
  switch (causal) {
    case Causal::none:
      return {0, keys};
    case Causal::top_left:
      return {0, std::min(keys, query + 1)};
    case Causal::bottom_right: {
      const std::size_t seen = query + 1 + keys;  // shifted by `queries` to stay unsigned
      return {0, seen > queries ? std::min(keys, seen - queries) : 0};
    }
  }
  return {};
}

}  // namespace ropewalk
