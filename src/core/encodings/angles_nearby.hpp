// The angles of positions, one after another, as sums that are cheap to form.
//
// Positions mostly follow one another. The angles of a position are then those of an earlier one, a
// few steps back, plus those of the steps, and a sum of angles is far cheaper than a sine.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/angle_sums.hpp"

namespace ropewalk {

class AnglesNearby {
 public:
  // For about as many `positions`. The sines and cosines of every start are multiplied by `scale`.
  AnglesNearby(std::vector<double> frequencies, std::size_t positions, double scale = 1.0);

  struct Sum {
    const Turns &start, &steps;
  };

  // position * frequency of every frequency; valid until the next call.
  Sum at(double position);

 private:
  Turns turns(double position);

  std::vector<double> frequencies_, angles_;
  double scale_;
  std::vector<Turns> steps_;  // 0, 1, 2, ... positions further
  double start_ = std::numeric_limits<double>::quiet_NaN();
  Turns turns_;  // at start_
};

}  // namespace ropewalk
