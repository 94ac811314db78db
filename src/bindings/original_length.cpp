// What evaluations of trained models need of longer contexts, beside position maps.
#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "bindings/scaling_call.hpp"

namespace ropewalk::bindings {
namespace {

// doubles: positions
Pointer log_n_list(std::size_t count, double original_length, LogNForm form, double length) {
  return guarded([&] {
    return doubles_out.assign(log_n_factors(doubles_in.take(count), original_length, form, length));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(original_length) {
  using namespace emscripten;
  enum_<Scaling>("Scaling", enum_value_type::string)
      .value("linear", Scaling::linear)
      .value("bloc97", Scaling::bloc97)
      .value("su-old", Scaling::su_old)
      .value("su-fixed", Scaling::su_fixed)
      .value("su-mixed", Scaling::su_mixed)
      .value("by-parts-coded", Scaling::by_parts_coded)
      .value("by-parts-published", Scaling::by_parts_published);
  enum_<LogNForm>("LogNForm", enum_value_type::string)
      .value("length", LogNForm::length)
      .value("position", LogNForm::position)
      .value("clipped", LogNForm::clipped);
  function("scaledFrequencies", &scaled_frequencies<scaled_in_both>);
  function("yarnTemperature", &yarn_temperature_numbers);
  function("logN", &log_n_list);
}

}  // namespace ropewalk::bindings
