#include "bindings/main_only.hpp"

EMSCRIPTEN_BINDINGS(main_only) {
  using namespace emscripten;
  using namespace ropewalk::bindings;
  function("attention", &attention);
  function("alibiTranslated", &alibi_translated_table);
  function("alibiMaskedPositions", &alibi_masked_position_list);
  function("t5Buckets", &t5_bucket_list);
  function("expandByOffset", &expand_table);
}
