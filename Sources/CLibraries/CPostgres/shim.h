#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <postgresql/libpq-fe.h>

/// The most parameters that ``latchkey_pq_send`` takes.
enum { LATCHKEY_PQ_PARAMETERS = 64 };

/// Queues the execution of a prepared statement, with parameters and results in binary form.
///
/// `bytes` holds the values one after the other, `lengths` their lengths; -1 is NULL. libpq copies them.
static inline int latchkey_pq_send(
    PGconn *_Nonnull connection, const char *_Nonnull statement, const uint8_t *_Nonnull bytes,
    const int32_t *_Nonnull lengths, int count) {
    const char *values[LATCHKEY_PQ_PARAMETERS];
    int sizes[LATCHKEY_PQ_PARAMETERS], formats[LATCHKEY_PQ_PARAMETERS];
    if (count < 0 || count > LATCHKEY_PQ_PARAMETERS) return 0;
    for (int index = 0; index < count; index++) {
        // "A null pointer indicates that the corresponding parameter is null"; an empty value has an address.
        values[index] = lengths[index] < 0 ? NULL : (const char *)bytes;
        sizes[index] = lengths[index] < 0 ? 0 : lengths[index];
        formats[index] = 1;
        bytes += sizes[index];
    }
    return PQsendQueryPrepared(connection, statement, count, values, sizes, formats, 1);
}

/// Begins to connect, with settings in front of a connection string, which it may change, and settings after it, which it
/// may not: whether the server has to take writes, and one of the hosts, of which a null pointer leaves what the string says.
static inline PGconn *_Nullable latchkey_pq_start(
    const char *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull attributes,
    const char *_Nullable host, const char *_Nullable address, const char *_Nullable port) {
    // "When keywords are repeated, the last non-NULL and non-empty value is used."
    const char *keywords[] = {
        "sslmode", "tcp_user_timeout", "keepalives_idle", "dbname", "target_session_attrs", "application_name",
        "client_encoding", "host", "hostaddr", "port", NULL,
    };
    const char *values[] = {
        "verify-full", "4000", "4", connection, attributes, name, "UTF8", host, address, port, NULL,
    };
    return PQconnectStartParams(keywords, values, 1);
}

/// A setting of a connection string; a null pointer where it has none. To be given to free(3).
static inline char *_Nullable latchkey_pq_setting(const char *_Nonnull text, const char *_Nonnull keyword) {
    PQconninfoOption *options = PQconninfoParse(text, NULL);
    if (!options) return NULL;
    char *value = NULL;
    for (const PQconninfoOption *option = options; option->keyword; option++) {
        if (option->val && option->val[0] && !strcmp(option->keyword, keyword)) value = strdup(option->val);
    }
    PQconninfoFree(options);
    return value;
}

static inline void latchkey_pq_count_warning(void *_Nullable count, const PGresult *_Nullable result) {
    // PG_DIAG_SEVERITY_NONLOCALIZED: the severity in English, whatever language the server speaks.
    const char *severity = PQresultErrorField(result, 'V');
    if (count && severity && !strcmp(severity, "WARNING")) ++*(uint32_t *)count;
}

/// Counts the server's warnings in `count`, which has to last as long as the connection, and keeps libpq from writing
/// what the server says beside its answers to standard error.
static inline void latchkey_pq_count_warnings(PGconn *_Nonnull connection, uint32_t *_Nonnull count) {
    PQsetNoticeReceiver(connection, latchkey_pq_count_warning, count);
}

/// The SQLSTATE of a failed result; empty where the server sent none. PG_DIAG_SQLSTATE is a character literal, which is
/// not imported into Swift.
static inline const char *_Nonnull latchkey_pq_state(const PGresult *_Nullable result) {
    const char *state = PQresultErrorField(result, 'C');
    return state ? state : "";
}

/// The first line of what the server said of a failed result, without the values of a row.
static inline const char *_Nonnull latchkey_pq_message(const PGresult *_Nullable result) {
    const char *message = PQresultErrorField(result, 'M');
    return message ? message : "";
}

/// The kind of a text: 0 no connection string, 1 one, 2 one with a password in it.
static inline int latchkey_pq_parse(const char *_Nonnull text) {
    PQconninfoOption *options = PQconninfoParse(text, NULL);
    if (!options) return 0;
    int kind = 1;
    for (const PQconninfoOption *option = options; option->keyword; option++) {
        // "D" in `dispchar` marks options for debugging, "*" those whose values are secrets.
        if (option->val && option->val[0] && option->dispchar[0] == '*') kind = 2;
    }
    PQconninfoFree(options);
    return kind;
}
