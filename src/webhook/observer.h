#pragma once

#include "http/event.h"
#include "webhook/log.h"

namespace webhook {

/// Logs what servers have to tell. `log` must outlive it.
[[nodiscard]] http::Observer observer(Log& log);

}  // namespace webhook
