#include "rotary/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {
namespace {

using Complex = std::complex<double>;

// The standard's product looks for infinite factors, which are none here.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Far from overflow, of which std::abs would take care.
double magnitude(Complex a) { return std::sqrt(std::norm(a)); }

// e^(i o f) of every frequency at one offset.
class Phases {
 public:
  explicit Phases(std::span<const double> frequencies)
      : frequencies_(frequencies), cos_(frequencies.size()), sin_(frequencies.size()) {}

  void to(double offset) {
    std::ranges::transform(frequencies_, cos_.begin(), [&](double f) { return offset * f; });
    sincos(cos_, sin_, cos_);
  }
  Complex operator[](std::size_t i) const { return {cos_[i], sin_[i]}; }
  std::size_t size() const { return cos_.size(); }

 private:
  std::span<const double> frequencies_;
  std::vector<double> cos_, sin_;
};

// sum_{j = 1 ... pairs} |S_j|
double sum_of_partial_sums(const Phases& phases) {
  Complex partial = 0;
  double sum = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    partial += phases[i];
    sum += magnitude(partial);
  }
  return sum;
}

Complex pair_of(std::span<const double> x, std::size_t i, RotaryLayout layout) {
  const PairAddresses at(layout, x.size() / 2);
  return {x[at.first(i)], x[at.second(i)]};
}

}  // namespace

std::vector<double> rotary_wavelengths(std::span<const double> frequencies) {
  std::vector<double> wavelengths(frequencies.begin(), frequencies.end());
  for (double& f : wavelengths) f = 2.0 * std::numbers::pi / f;
  return wavelengths;
}

std::vector<double> rotary_turns(std::span<const double> frequencies, double length) {
  std::vector<double> turns(frequencies.begin(), frequencies.end());
  for (double& f : turns) f = length * f / (2.0 * std::numbers::pi);
  return turns;
}

RotaryDecay rotary_decay(std::span<const double> frequencies, std::span<const double> offsets) {
  require(!frequencies.empty(), "rotary_decay: there must be at least one frequency");
  const double pairs = static_cast<double>(frequencies.size());
  Phases phases(frequencies);
  RotaryDecay decay{std::vector<double>(offsets.size()), std::vector<double>(offsets.size())};
  for (std::size_t o = 0; o < offsets.size(); ++o) {
    phases.to(offsets[o]);
    double cosines = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) cosines += phases[i].real();
    decay.mean_partial_sum[o] = sum_of_partial_sums(phases) / pairs;
    decay.mean_cosine[o] = cosines / pairs;
  }
  return decay;
}

RotaryScoreBound rotary_score_bound(std::span<const double> q, std::span<const double> k,
                                    std::span<const double> frequencies,
                                    std::span<const double> offsets, RotaryLayout layout) {
  require(q.size() == 2 * frequencies.size() && k.size() == q.size(),
          "rotary_score_bound: q and k must have ", 2 * frequencies.size(), " values, got ",
          q.size(), " and ", k.size());
  std::vector<Complex> h(frequencies.size() + 1);
  double largest_step = 0;
  for (std::size_t i = frequencies.size(); i-- > 0;) {
    h[i] = product(pair_of(q, i, layout), std::conj(pair_of(k, i, layout)));
    largest_step = std::max(largest_step, magnitude(h[i + 1] - h[i]));
  }
  Phases phases(frequencies);
  const std::vector<double> zeros(offsets.size());
  RotaryScoreBound result{zeros, zeros, zeros};
  for (std::size_t o = 0; o < offsets.size(); ++o) {
    phases.to(offsets[o]);
    Complex sum = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) sum += product(h[i], phases[i]);
    result.score[o] = sum.real();
    result.magnitude[o] = magnitude(sum);
    result.bound[o] = largest_step * sum_of_partial_sums(phases);
  }
  return result;
}

namespace {

constexpr double turn = 2.0 * std::numbers::pi;

void require_length(const char* name, double length) {
  require(length >= 1.0 && std::isfinite(length) && length == std::floor(length),
          "angle_coverage: ", name, " must be a whole number of at least 1, got ", length);
}

// The first position below length whose angle reaches the end of the arc, or -1.
double first_beyond(double arc, double frequency, double length) {
  if (frequency == 0.0 || (length - 1.0) * frequency < arc) return -1.0;
  const double position = std::floor(arc / frequency);
  return position * frequency < arc ? position + 1.0 : position;
}

}  // namespace

std::vector<AngleCoverage> angle_coverage(std::span<const double> trained,
                                          std::span<const double> used, double original_length,
                                          double length) {
  require(trained.size() == used.size(),
          "angle_coverage: both lists need one frequency per pair, got ", trained.size(), " and ",
          used.size());
  require_length("original_length", original_length);
  require_length("length", length);
  std::vector<AngleCoverage> pairs(trained.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].trained_turns = original_length * trained[i] / turn;
    pairs[i].turns = length * used[i] / turn;
    if (pairs[i].trained_turns < 1.0) {
      pairs[i].first_unseen = first_beyond(original_length * trained[i], used[i], length);
    }
  }
  return pairs;
}

namespace {

// A root, or a quotient of whole numbers, may come out a rounding or two below the whole number
// that it is.
constexpr double allowed = 0x1p-50;

double floored(double quotient) { return std::floor(quotient * (1.0 + allowed)); }

double whole_if_near(double x) {
  const double whole = std::nearbyint(x);
  return std::abs(x - whole) <= allowed * whole ? whole : x;
}

}  // namespace

PositionDigits position_digits(double position, std::size_t dim, double base) {
  const std::vector<double> frequencies = rotary_frequencies(dim, base);
  require(base > 1.0, "position_digits: base must be greater than 1, got ", base);
  require_at_least("position_digits: position", 0.0, position);
  const double beta = whole_if_near(portable::pow(base, 2.0 / static_cast<double>(dim)));
  PositionDigits result{beta, frequencies, frequencies};
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double quotient = position * frequencies[i];
    const double whole = floored(quotient);
    result.digits[i] = std::max(0.0, whole - beta * floored(whole / beta));
    result.angles[i] = std::fmod(quotient, 2.0 * std::numbers::pi);
  }
  return result;
}

}  // namespace ropewalk
