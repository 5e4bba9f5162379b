#pragma once

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, sqlite3_config and sqlite3_db_config are variadic; none is imported into Swift.

/// Stops the count of memory in use, which takes a lock on every allocation. Only before the first connection.
static inline int latchkey_sqlite3_omit_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Binds a copy of `count` bytes of UTF-8. A null pointer is the empty text, never NULL.
static inline int latchkey_sqlite3_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, sqlite3_uint64 count) {
    const char *text = bytes ? (const char *)bytes : "";
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a copy of `count` bytes. A null pointer is the empty blob, never NULL.
static inline int latchkey_sqlite3_bind_blob(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : (const void *)"", count, SQLITE_TRANSIENT);
}

/// Takes from SQL the means to damage the file it runs on.
static inline int latchkey_sqlite3_set_defensive(sqlite3 *_Nonnull connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Names the schema of the file as statements on rows do. Only the pointer is kept, to a constant.
static inline int latchkey_sqlite3_name_schema(sqlite3 *_Nonnull connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_MAINDBNAME, "latchkey");
}

/// Reads the first `count` bytes of a connection's file, past its log and without taking a lock.
static inline int latchkey_sqlite3_read_heading(sqlite3 *_Nonnull connection, void *_Nonnull bytes, int count) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code != SQLITE_OK ? code : file->pMethods ? file->pMethods->xRead(file, bytes, count, 0) : SQLITE_MISUSE;
}
