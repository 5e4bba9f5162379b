# A PostgreSQL primary and a synchronous standby of Debian's package, for trying things out: in a folder of their own,
# without a network unless pair_addresses names some, as a user without rights. Sourced by bash after deploy/check/lib.sh, never run by itself.

# Set by start_pair: the folder, and the two places libpq finds a server at.
pair_folder='' pair_hosts=''
# Where the two listen, beside the sockets in their folders.
pair_addresses=('' '')
# The processes of the servers by their numbers, 0 and 1; empty where there is none.
pair_processes=('' '')

# Runs one of PostgreSQL's programs as the servers' user.
as_postgres() {
    local program=$LATCHKEY_POSTGRES/$1
    shift
    if [ "$(id -u)" = 0 ]; then
        (cd / && exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$program" "$@")
    else
        (cd / && exec "$program" "$@")
    fi
}

# Runs statements on server $1 in database $2 as its superuser; without statements, what standard input has.
pair_run() {
    local number=$1 database=$2 words=()
    shift 2
    for statement in "$@"; do words+=(-c "$statement"); done
    "$LATCHKEY_POSTGRES/psql" -h "$pair_folder/$number" -U postgres -d "$database" -v ON_ERROR_STOP=1 -qAt "${words[@]}"
}

# Waits until a command succeeds: $1 says for what.
pair_await() {
    local what=$1 tenths=0
    shift
    until "$@" >/dev/null 2>&1; do
        [ $((tenths++)) -lt 300 ] || fail "$what did not happen in 30 seconds."
        sleep 0.1
    done
}

pair_launch() {
    local number=$1 program=("$LATCHKEY_POSTGRES/postgres")
    [ "$(id -u)" != 0 ] || program=(setpriv --reuid=nobody --regid=nogroup --clear-groups -- "${program[@]}")
    # The server itself is the process that is noted, so that it can be killed as a machine is that loses its power.
    (cd / && exec "${program[@]}" -D "$pair_folder/$number/data" -k "$pair_folder/$number" -c listen_addresses="${pair_addresses[number]}" \
        -c fsync=off -c shared_buffers=32MB -c max_connections=100 -c wal_retrieve_retry_interval=100ms \
        -c log_min_messages=panic) >>"$pair_folder/$number/log" 2>&1 &
    pair_processes[number]=$!
    pair_await "The start of PostgreSQL" "$LATCHKEY_POSTGRES/pg_isready" -q -h "$pair_folder/$number" -U postgres
}

has_standby() { pair_run 0 postgres 'SELECT sync_state FROM pg_stat_replication' | grep -qx sync; }

# Starts both, the first one as primary, with the database latchkey and its roles.
start_pair() {
    local number
    pair_folder=$(mktemp -d "${TMPDIR:-/tmp}/latchkey-postgres.XXXXXX")
    chmod 755 "$pair_folder"
    for number in 0 1; do
        mkdir -m 700 "$pair_folder/$number"
        [ "$(id -u)" != 0 ] || chown nobody:nogroup "$pair_folder/$number"
    done
    # shellcheck disable=SC2034
    pair_hosts=$pair_folder/0,$pair_folder/1
    as_postgres initdb -D "$pair_folder/0/data" -U postgres -A trust --locale=C -E UTF8 --no-sync >/dev/null ||
        fail "PostgreSQL could not make its folder."
    [ -z "${pair_addresses[0]}" ] || echo 'host all all all trust' >>"$pair_folder/0/data/pg_hba.conf"
    pair_launch 0
    pair_run 0 postgres 'CREATE DATABASE latchkey'
    pair_run 0 latchkey <deploy/postgres/roles.sql
    as_postgres pg_basebackup -h "$pair_folder/0" -U postgres -D "$pair_folder/1/data" -R -X stream -c fast --no-sync ||
        fail "The standby could not be made."
    pair_launch 1
    pair_run 0 postgres "ALTER SYSTEM SET synchronous_standby_names = '*'" 'SELECT pg_reload_conf()' >/dev/null
    pair_await "A standby that keeps up" has_standby
}

# Ends server $1 and all its processes at once.
kill_of_pair() {
    local process=${pair_processes[$1]} children
    [ -n "$process" ] || return 0
    children=$(cat "/proc/$process/task/"*/children 2>/dev/null || :)
    # shellcheck disable=SC2086
    kill -KILL "$process" $children 2>/dev/null || :
    wait "$process" 2>/dev/null || :
    pair_processes[$1]=
}

# Lets server 1 take writes.
promote_pair() { pair_run 1 postgres 'SELECT pg_promote(true, 60)' >/dev/null; }

# Ends both, and removes what they kept.
stop_pair() {
    [ -n "$pair_folder" ] || return 0
    kill_of_pair 0
    kill_of_pair 1
    rm -rf "$pair_folder"
    pair_folder=
}
