# What stands on the operator's stage: the machine, its service manager and journal, boxes, phones, and the count of checks.
# Sourced by walk.sh, never run by itself.
#
# Some names are for walk.sh alone:
# shellcheck disable=SC2034

passed=0
failed=0
# A check: its name and a command, whose output is shown where it fails.
check() {
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then
        passed=$((passed + 1))
        printf 'passed  %s\n' "$name"
    else
        failed=$((failed + 1))
        printf 'FAILED  %s: %s: %s\n' "$name" "$*" "$(tr '\n' '|' <<<"$said" | tail -c 600)"
    fi
}

# Whether a command succeeds and says something: a regular expression, and the command.
says() {
    local wanted=$1 said
    shift
    said=$("$@" 2>&1) || { printf 'ended with %d: %s\n' $? "$said" && return 1; }
    grep -qE -- "$wanted" <<<"$said" || { printf 'does not say “%s”: %s\n' "$wanted" "$said" && return 1; }
}
# The same, and that it does not say something.
omits() {
    local unwanted=$1 said
    shift
    said=$("$@" 2>&1) || { printf 'ended with %d: %s\n' $? "$said" && return 1; }
    ! grep -E -- "$unwanted" <<<"$said"
}
# Whether a command ends with an exit code and says something: the code, a regular expression, and the command.
ends() {
    local code=$1 wanted=$2 said status=0
    shift 2
    said=$("$@" 2>&1) || status=$?
    [ "$status" = "$code" ] || { printf 'ended with %d: %s\n' "$status" "$said" && return 1; }
    grep -qE -- "$wanted" <<<"$said" || { printf 'does not say “%s”: %s\n' "$wanted" "$said" && return 1; }
}
# Whether a command's standard output has so many lines that match: the number, a regular expression, and the command.
counts() {
    local number=$1 wanted=$2 said found
    shift 2
    said=$("$@") || { printf 'ended with %d: %s\n' $? "$said" && return 1; }
    found=$(grep -cE -- "$wanted" <<<"$said") || :
    [ "$found" = "$number" ] || { printf '%d lines, not %d: %s\n' "$found" "$number" "$said" && return 1; }
}

# Runs a check again and again until it holds, for what another program does in its own time; at most two minutes.
# Every try asks a program something, which is pause enough.
eventually() {
    local end=$((SECONDS + 120)) said
    until said=$("$@" 2>&1); do
        [ "$SECONDS" -lt "$end" ] || { printf '%s\n' "$said" && return 1; }
    done
}

# Waits until a file that grows has a line behind its first N that matches, and prints it: file, N, regular expression.
# What follows the file ends with its next line, or with this script.
await() {
    timeout 120 grep -m 1 -E -- "$3" < <(exec tail -n +$(($2 + 1)) --pid=$$ -f "$1" 2>/dev/null)
}
lines() { wc -l <"$1"; }

# The machine: what the packages make of its folders, and where their programs find the configuration.
machine() {
    etc=$folder/machine/etc/latchkeyd
    var=$folder/machine/var/lib/latchkeyd
    mkdir -p "$etc" "$var"
    chmod 0700 "$var"
    export LATCHKEYD_CONFIG=$etc/latchkeyd.json5
}

# The commands of an operator, remembered for the comparison with what the documents print.
latchkeyd() {
    printf 'latchkeyd %s\n' "$*" >>"$folder/commands"
    "$programs/latchkeyd" "$@"
}
# The same at a box, which is a machine of its own: its name, and the command.
at_box() {
    local name=$1
    shift
    printf 'latchkey %s\n' "$*" >>"$folder/commands"
    "$programs/latchkey" "$@" --config "$folder/boxes/$name.json5" --state "$folder/boxes/$name.state"
}

# systemd's part, as deploy/package/systemd/latchkeyd.service has it: start, reload, stop.
server=
systemctl() {
    local begin
    begin=$(lines "$journal")
    case $1 in
        start)
            "$programs/latchkeyd" serve --print-address >>"$journal" 2>&1 &
            server=$!
            await "$journal" "$begin" '^LISTENING ' >>"$folder/talk"
            ;;
        reload)
            kill -HUP "$server"
            await "$journal" "$begin" 'the configuration was read again|stays in force' >>"$folder/talk"
            ;;
        stop)
            kill -TERM "$server"
            wait "$server"
            server=
            ;;
    esac
}
journalctl() { cat "$journal"; }

# A viewer's phone: the address of the QR code, account, password, and the phone's other words.
phone() { "$programs/phone" "$@" --certificate-authority "$authority" 2>>"$folder/talk"; }
# Shows a box's code and has a phone go through the pages: the box, and what the phone is told but the address.
pair() {
    local name=$1 events=$folder/boxes/$1.events begin box address status=0
    shift
    touch "$events"
    begin=$(lines "$events")
    # Not by at_box: what is ended has to be the program.
    "$programs/latchkey" pair --json --config "$folder/boxes/$name.json5" --state "$folder/boxes/$name.state" \
        >>"$events" 2>&1 &
    box=$!
    echo "$box" >"$pairing"
    address=$(await "$events" "$begin" '"event":"(code_issued|error)"' | jq -r '.url // empty')
    if [ -n "$address" ] && phone "$address" "$@"; then
        wait "$box" || status=$?
    else
        kill "$box" 2>/dev/null || :
        wait "$box" || :
        status=1
    fi
    : >"$pairing"
    [ "$status" = 0 ] || sed -E 's,"qr":"[^"]*",,' "$events"
    return $status
}
