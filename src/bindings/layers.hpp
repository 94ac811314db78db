// What layers and their gradients share.
#pragma once

namespace ropewalk::bindings {

enum class Norm { rms, layer };

}  // namespace ropewalk::bindings
