// Position schemes of 2024 to 2026, most of which read positions or gates from the text. Training
// has them in a binary of its own. All parameters are per layer, called blocks.<layer>.<name>; h is
// what a layer's queries and keys are computed from, D the width of a head.
//
//   ssmax           ssmax.s (heads): rope, with scores times s ln(number of keys)
//   cable           Wc (width x heads), bc (heads): FoX with the sign of the gates flipped. Scores
//                   are divided by sqrt(D), as everywhere; the published code does not
//   wall            Wg (width x width), bg (width): a gate per channel; Wf, bf: FoX's gate too
//   selective_rope  Wr1 (width x rank), Wr2 (rank x heads * pairs), cr (4 x heads * pairs):
//                   increments of angles = causal convolution of (h / |h| per head) Wr1 Wr2, summed
//                   up to the token, times base^(-i / pairs); without the optional bias and gate
//   repo            Wg, Wc (width x width / 8), Wp (width / 8 x heads): position of a head =
//                   (silu(h Wg) (h Wc)) Wp, then rope, in every layer; the published models keep
//                   integer positions in their first five
//   grape_m         Wm (width x heads), bm (heads): position = sum of softplus(h Wm + bm) over the
//                   tokens before, then rope. Begins as rope
//   grape_a         ua.k, ua.q (heads x D), ua.raw (heads): bias = -distance omega
//                   (softplus(u_k k / sqrt(D)) + softplus(u_q q / sqrt(D))), u of length 1, omega =
//                   softplus(raw) times ALiBi's slope
//   path            Ww (width x width), cw (3 x width), Wb (width x heads), bb (heads): w = silu of
//                   the causal convolution of h Ww, of length 1; beta = 2 sigmoid(h Wb + bb);
//                   Wf, bf: FoX's gate too
//   pope            pope.phase (heads x D)
//   stick_breaking  -
//   grape_ap        Wp (width x heads * P): bias = sum of slope ln sigmoid(p_m . R_l n(p_l) / P)
//                   over the tokens l after the key, p = h Wp, with ALiBi's slopes. n makes the
//                   mean square 1, on this side only, as in the published code; R rotates by l
//   row_gates       Wu, Wr (width x heads * P): bias = sum of ln sigmoid(u_m . r_l / sqrt(P)) from
//                   the key on, without the query's own token, u = h Wu, r = h Wr
//   selective       -: rope, with scores less the positive ones that earlier queries gave the key
//                   in the first head; the first token and a query's own are spared. It keeps that
//                   head's length x length scores of each sequence, and as many sums
#pragma once

#include "training/position.hpp"

namespace ropewalk {

// The schemes of all kinds.
PositionFactory make_content_position_scheme;

}  // namespace ropewalk
