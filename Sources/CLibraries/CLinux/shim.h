#pragma once

#include <sys/prctl.h>

// What Swift does not import: variadic functions, one inline function each.

/// Lets no other process of the user read the memory of this one, and no crash write it to a file. 0, or -1.
static inline int clinux_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
