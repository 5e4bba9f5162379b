#pragma once

#include <cjose/cjose.h>
#include <jansson.h>

// What Swift does not import: macros, and inline functions that stand on them.

static inline int ccjose_type(const json_t *_Nonnull value) { return json_typeof(value); }
static inline void ccjose_release(json_t *_Nullable value) { json_decref(value); }

/// Texts without NUL, and no name twice: two readers of such a document cannot disagree about it.
static inline json_t *_Nullable ccjose_read(const char *_Nonnull bytes, size_t count) {
    json_error_t error;
    return json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
}
