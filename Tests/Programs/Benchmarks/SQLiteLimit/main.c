/* What SQLite itself can do: commits the rows of one table of SOURCE into the new file TARGET, which gets the schema of
 * SOURCE with its indexes and triggers, in transactions of BATCH rows, durably, with nothing around the loop.
 *
 *   sqlite-limit SOURCE TARGET TABLE BATCH SECONDS
 *
 * Rows are read into memory first. It ends when SECONDS have passed or every row is written, and prints the rows it
 * wrote and the seconds that took. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { maximum_rows = 200000 };

static void stop(sqlite3 *database, const char *doing) {
    fprintf(stderr, "sqlite-limit: %s: %s\n", doing, database ? sqlite3_errmsg(database) : "out of memory");
    exit(1);
}

static void execute(sqlite3 *database, const char *sql) {
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) stop(database, sql);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) stop(database, sql);
    return statement;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void copy_schema(sqlite3 *source, sqlite3 *target) {
    sqlite3_stmt *statement = prepare(
        source, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid");
    while (sqlite3_step(statement) == SQLITE_ROW) execute(target, (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
}

/* The rows of `table` as values that outlive the statement, `*columns` for each. */
static sqlite3_value **read_rows(sqlite3 *source, const char *table, int *rows, int *columns) {
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" LIMIT %d", table, maximum_rows);
    sqlite3_stmt *statement = prepare(source, sql);
    *columns = sqlite3_column_count(statement);
    sqlite3_value **values = calloc((size_t)maximum_rows * (size_t)*columns, sizeof *values);
    if (values == NULL) stop(NULL, "reading");
    for (*rows = 0; sqlite3_step(statement) == SQLITE_ROW; ++*rows)
        for (int column = 0; column < *columns; ++column) {
            sqlite3_value *value = sqlite3_value_dup(sqlite3_column_value(statement, column));
            if (value == NULL) stop(NULL, "reading");
            values[(size_t)*rows * (size_t)*columns + (size_t)column] = value;
        }
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return values;
}

static sqlite3_stmt *prepare_insertion(sqlite3 *target, const char *table, int columns) {
    char *places = calloc((size_t)columns * 2 + 1, 1);
    if (places == NULL) stop(NULL, "preparing");
    for (int column = 0; column < columns; ++column) strcat(places, column == 0 ? "?" : ",?");
    char *sql = sqlite3_mprintf("INSERT INTO \"%w\" VALUES (%s)", table, places);
    sqlite3_stmt *statement = prepare(target, sql);
    sqlite3_free(sql);
    free(places);
    return statement;
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: sqlite-limit SOURCE TARGET TABLE BATCH SECONDS\n");
        return 64;
    }
    const int batch = atoi(arguments[4]);
    const double limit = atof(arguments[5]);
    sqlite3 *source = NULL, *target = NULL;
    if (sqlite3_open_v2(arguments[1], &source, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) stop(source, arguments[1]);
    if (sqlite3_open_v2(arguments[2], &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        stop(target, arguments[2]);
    /* What the server's own connection sets, as far as it costs or saves time. */
    execute(target, "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
                    "PRAGMA cache_size = -8192; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;"
                    "PRAGMA wal_autocheckpoint = 2000");
    copy_schema(source, target);
    int rows = 0, columns = 0;
    sqlite3_value **values = read_rows(source, arguments[3], &rows, &columns);
    sqlite3_close(source);
    if (rows == 0 || batch < 1 || limit <= 0) {
        fprintf(stderr, "sqlite-limit: nothing to write\n");
        return 1;
    }
    sqlite3_stmt *insertion = prepare_insertion(target, arguments[3], columns);
    sqlite3_stmt *begin = prepare(target, "BEGIN IMMEDIATE"), *commit = prepare(target, "COMMIT");
    const double start = now();
    int written = 0;
    while (written < rows && now() - start < limit) {
        if (sqlite3_step(begin) != SQLITE_DONE) stop(target, "BEGIN");
        sqlite3_reset(begin);
        for (int row = 0; row < batch && written < rows; ++row, ++written) {
            for (int column = 0; column < columns; ++column)
                sqlite3_bind_value(insertion, column + 1, values[(size_t)written * (size_t)columns + (size_t)column]);
            if (sqlite3_step(insertion) != SQLITE_DONE) stop(target, "INSERT");
            sqlite3_reset(insertion);
        }
        if (sqlite3_step(commit) != SQLITE_DONE) stop(target, "COMMIT");
        sqlite3_reset(commit);
    }
    printf("%d %.6f\n", written, now() - start);
    return 0;
}
