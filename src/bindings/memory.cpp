// The inboxes, and giving memory back.
#include "bindings/scratch.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

FloatsOrError floats_inbox(std::size_t count) {
  return guarded<FloatsOrError>([&] { return floats_in.reserve(count); });
}

DoublesOrError doubles_inbox(std::size_t count) {
  return guarded<DoublesOrError>([&] { return doubles_in.reserve(count); });
}

void release_memory() {
  floats_in.release();
  floats_out.release();
  doubles_in.release();
  doubles_out.release();
  integers_out.release();
  attention_scratch = {};
}

}  // namespace

EMSCRIPTEN_BINDINGS(memory) {
  using namespace emscripten;
  register_type<FloatsOrError>("Float32Array | Error");
  register_type<DoublesOrError>("Float64Array | Error");
  register_type<IntegersOrError>("Int32Array | Error");
  function("floatsInbox", &floats_inbox);
  function("doublesInbox", &doubles_inbox);
  function("releaseMemory", &release_memory);
}

}  // namespace ropewalk::bindings
