// The inboxes, and giving memory back.
#include "bindings/scratch.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

emscripten::val caught(emscripten::val (*work)(void*), void* context) {
  const auto failure = [](const char* kind, const char* text) {
    return emscripten::val::global(kind).new_(emscripten::val::u8string(text));
  };
  try {
    return work(context);
  } catch (const std::invalid_argument& error) {
    return failure("RangeError", error.what());
  } catch (const std::bad_alloc&) {
    return failure("RangeError", "there is not enough memory for this call");
  } catch (const std::length_error&) {  // a vector longer than memory
    return failure("RangeError", "there is not enough memory for this call");
  } catch (const std::exception& error) {
    return failure("Error", error.what());
  }
}

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
