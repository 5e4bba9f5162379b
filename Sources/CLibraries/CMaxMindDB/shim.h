#pragma once

#include <maxminddb.h>

// A member of an unnamed union, which Swift does not import beside a number of 128 bits: one inline function.

/// The UTF-8 text of a value, without a zero at its end; NULL where the value is no text.
static inline const char *cmaxminddb_text(const MMDB_entry_data_s *value) {
    return value->has_data && value->type == MMDB_DATA_TYPE_UTF8_STRING ? value->utf8_string : NULL;
}
