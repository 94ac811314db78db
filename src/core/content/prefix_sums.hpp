// A bias from one number per token and head, the difference of two prefix sums:
//
//   score(m, n) += c_m - c_n        c_n = t_0 + ... + t_n        keys n up to the query's key m
//   score(m, n) += r_n - r_m        keys after it: sums of the later terms, by default the same
//
// so that a key counts the terms after it, up to and with that of the query. With t = ln sigmoid(f)
// it is the forget gate of FoX (Lin et al. 2025, equation 6), with t = ln sigmoid(-f) the bias of
// CABLE, with a constant ALiBi. It needs one number per token and head and no other position.
#pragma once

#include <vector>

#include "attention/score_modifiers.hpp"

namespace ropewalk {

// sums, later, and places for their gradients: (batches, heads, keys). `later` may be empty: sums.
// A query reads the sum of the key at which it stands. Differences are formed of two floats for
// each sum, so that long prefixes cost no digits.
class PrefixSumBias final : public ScoreModifier {
 public:
  explicit PrefixSumBias(std::span<const double> sums, std::span<double> d_sums = {},
                         std::span<const double> later = {}, std::span<double> d_later = {})
      : ScoreModifier(ScoreStep::biased, false, {"prefix sums"}),
        forward_{1.0, sums, d_sums},
        later_{-1.0, later.empty() ? sums : later, later.empty() ? d_sums : d_later} {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  struct Sums {
    double sign;  // of the query's sum in a difference
    std::span<const double> values;
    std::span<double> gradient;
    mutable std::vector<float> heads{}, tails{};  // heads + tails are sign times the values

    void split() const;
  };
  // How many of the row's keys come no later than the query.
  static std::size_t earlier(const ScoreRow& row);

  Sums forward_, later_;
};

// What a term is made of: the number itself, ln sigmoid(x), or ln sigmoid(-x).
enum class PrefixTerm { number, log_sigmoid, log_sigmoid_of_negative };
inline constexpr std::size_t prefix_terms_count = 3;

// The term that a number stands for, in double.
double prefix_term(PrefixTerm kind, double number);
// Those of many numbers.
void prefix_terms(std::span<double> terms, std::span<const float> numbers, PrefixTerm kind);
// The derivative of a term.
double prefix_term_slope(PrefixTerm kind, double number);

// sums[n] = t_0 + ... + t_n for each of `rows` rows of equal length.
// Throws std::invalid_argument on a number that is not finite.
void prefix_sums(std::span<double> sums, std::span<const float> numbers, std::size_t rows,
                 PrefixTerm kind);
// Writes the gradient of the numbers, given that of the sums. The first number of a row shifts all
// sums alike, which changes no difference: its gradient is 0.
void prefix_sums_backward(std::span<float> d_numbers, std::span<const double> d_sums,
                          std::span<const float> numbers, std::size_t rows, PrefixTerm kind);

// The sums of numbers (rows, length) times a factor, for a PrefixSumBias whose gradient goes back
// to the numbers. These must outlive it.
class PrefixNumbers {
 public:
  // Throws as prefix_sums().
  void form(std::span<const float> numbers, std::size_t rows, PrefixTerm kind, bool has_gradient,
            double factor = 1.0);

  std::size_t count() const { return numbers_.size(); }
  std::span<const double> sums() const { return sums_; }
  std::span<double> d_sums() { return d_sums_; }
  // Writes the gradient of the numbers, given that of the sums, which it changes.
  void backward(std::span<float> d_numbers);

 private:
  std::span<const float> numbers_;
  std::size_t rows_ = 0;
  PrefixTerm kind_ = PrefixTerm::number;
  double factor_ = 1.0;
  std::vector<double> sums_, d_sums_;
};

}  // namespace ropewalk
