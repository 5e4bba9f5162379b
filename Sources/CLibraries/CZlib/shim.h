#pragma once

#include <zlib.h>

// What Swift does not import: macros, one inline function each.

/// Prepares a stream that writes gzip (RFC 1952) with a window of 2^window_bits bytes, 10 to 15. deflateInit2 is a macro;
/// 16 more than the window's bits is how zlib is asked for gzip. Its other tables are as large as the window.
static inline int czlib_start_gzip(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits + 16, window_bits - 7,
                        Z_DEFAULT_STRATEGY);
}
