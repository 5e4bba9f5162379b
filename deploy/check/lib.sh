# Pieces that deploy/try, deploy/test and deploy/bench share. Sourced by bash, never run by itself.
#
# Talk goes to stderr: stdout belongs to the results of the script that sources this.
#
# Some names are set here for those scripts alone:
# shellcheck disable=SC2034

oldest_swift=6.2

# What the two programs are compiled against.
build_packages=(
    libc6-dev libcjose-dev libcrypt-dev libcurl4-openssl-dev libmaxminddb-dev libmicrohttpd-dev
    libpcre2-dev libpq-dev libqrencode-dev libsqlite3-dev libssl-dev zlib1g-dev
)

# Of release builds; the same flags everywhere, or each script would build everything anew. Without frame pointers a call takes
# up to a twentieth less. Nothing here needs them: a core dump is read by the tables for unwinding.
release_flags=(-c release --static-swift-stdlib --omit-frame-pointers)

# A build to try and not to keep: unoptimised, each module at once, without what a debugger or an editor needs. Of all
# forms it takes the least time: less than half of a release build's.
quick_flags=(
    --scratch-path .build/quick --disable-index-store -Xswiftc -gnone -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2
)

# For debug builds in folders of their own, which few go on with: each module at once takes up to a quarter less of the
# processor than its files in batches.
apart_flags=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2)

# Colours only for a person who looks.
if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
    bold='' red='' green='' plain=''
fi

say() { printf '%s\n' "$*" >&2; }
heading() { printf '\n%s== %s ==%s\n' "$bold" "$*" "$plain" >&2; }

# Ends the script with a sentence that says what went wrong and, where there is one, what to do.
fail() {
    printf '%s%s%s\n' "$red" "$*" "$plain" >&2
    exit 1
}

# Ends the script with the comment that it begins with. `$0` counts from the folder that the script was called in.
show_help() {
    cd "$OLDPWD" && sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"
    exit
}

# Whether version $1 is at least version $2, both dotted numbers.
version_reaches() {
    [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

require_swift() {
    local version
    command -v swift >/dev/null ||
        fail "Latchkey is written in Swift and needs Swift $oldest_swift or newer, which is not on this machine." \
            "https://www.swift.org/install/linux/ has it for Debian 12; then run this again."
    version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1) || :
    [ -n "$version" ] ||
        fail "There is a command 'swift' ($(command -v swift)), but it does not say which version it is." \
            "Latchkey needs the Swift compiler, $oldest_swift or newer: https://www.swift.org/install/linux/"
    version_reaches "$version" "$oldest_swift" ||
        fail "This machine has Swift $version, and Latchkey needs $oldest_swift or newer." \
            "https://www.swift.org/install/linux/ has the current one; then run this again."
}

is_installed() {
    # One line for each architecture that it is installed for.
    grep -qx installed <<<"$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null)"
}

# Runs a command as root: as it is, or through sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- "$@"
    else
        return 126
    fi
}

# Installs the Debian packages among "$@" that are missing; touches nothing when none is.
install_packages() {
    local missing=() package
    command -v dpkg-query >/dev/null ||
        fail "This needs Debian 12 or a distribution made from it: dpkg is not here. Wanted: $*"
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing what is missing: ${missing[*]}"
    if ! { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"; } >&2; then
        fail "These Debian packages are missing and could not be installed from here. As root, please run:" \
            "apt-get update && apt-get install ${missing[*]}"
    fi
}

# Unpacks Debian packages into folder $1, which is there. Each step ends it by itself: `set -e` has no effect where the
# result is asked for.
unpack_packages() (
    cd "$1" || exit 1
    shift
    # apt-get asks another, unprivileged user to write where root runs it; it says so and goes on.
    apt-get download -q "$@" || { as_root apt-get update -q && apt-get download -q "$@"; } || exit 1
    for package in *.deb; do dpkg -x "$package" . && rm "$package" || exit 1; done
) >&2

# The program of a Debian package that is not installed, unpacked into .build/tools: installing it would start a service
# on this machine. Sets `provided`, the path of the program.
provide() {
    local package=$1 name=$2 folder=.build/tools/$1 candidate
    for candidate in "$(command -v "$name" || :)" "/usr/sbin/$name" "$PWD/$folder/usr/sbin/$name" \
        "$PWD/$folder/usr/bin/$name"; do
        [ -n "$candidate" ] && [ -x "$candidate" ] && provided=$candidate && return 0
    done
    say "Fetching Debian's $package"
    mkdir -p "$folder"
    unpack_packages "$folder" "$package" ||
        fail "$package is not here and could not be fetched with 'apt-get download $package'."
    for candidate in "$PWD/$folder/usr/sbin/$name" "$PWD/$folder/usr/bin/$name"; do
        [ -x "$candidate" ] && provided=$candidate && return 0
    done
    fail "Debian's package $package has no program $name."
}

# Debian's PostgreSQL, for tests. Sets and exports `LATCHKEY_POSTGRES`, the folder of its programs.
provide_postgres() {
    local folder=$PWD/.build/tools/postgresql-15
    LATCHKEY_POSTGRES=/usr/lib/postgresql/15/bin
    if ! [ -x "$LATCHKEY_POSTGRES/postgres" ] || ! [ -x "$LATCHKEY_POSTGRES/psql" ]; then
        LATCHKEY_POSTGRES=$folder/usr/lib/postgresql/15/bin
    fi
    if ! [ -x "$LATCHKEY_POSTGRES/postgres" ] || ! [ -x "$LATCHKEY_POSTGRES/psql" ]; then
        say "Fetching Debian's PostgreSQL"
        # What the server needs of the distribution, and nothing that starts one.
        install_packages libicu72 libldap-2.5-0 liblz4-1 libpam0g libxml2 libzstd1
        mkdir -p "$folder"
        unpack_packages "$folder" postgresql-15 postgresql-client-15 ||
            fail "Debian's PostgreSQL could not be fetched with 'apt-get download postgresql-15 postgresql-client-15'."
    fi
    export LATCHKEY_POSTGRES
}

# Sets and exports `LATCHKEY_AXE`, the script of axe-core, from a package of the Python package index.
provide_axe() {
    local version=0.1.8 folder=$PWD/.build/tools/axe
    if [ ! -e "$folder/$version" ]; then
        say "Fetching axe-core"
        rm -rf "$folder"
        if ! { python3 -m venv "$folder" &&
            "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps \
                "axe-playwright-python==$version"; } >&2; then
            fail "axe-core could not be fetched from the Python package index; see above."
        fi
        touch "$folder/$version"
    fi
    LATCHKEY_AXE=$(realpath -e "$folder"/lib/python3*/site-packages/axe_playwright_python/axe.min.js)
    export LATCHKEY_AXE
}

# Debian's nginx, to compare with. Sets `nginx`.
provide_nginx() {
    provide nginx nginx
    nginx=$provided
}

# Builds the named products in release form, and sets `programs`, their folder.
build_release() { build_products "${release_flags[*]}" "$@"; }

# Builds the named products as fast as can be, and sets `programs`, their folder.
build_quickly() { build_products "${quick_flags[*]}" "$@"; }

# Builds products with the flags of $1. Each is one `swift build`, as that names one product at a time.
build_products() {
    local flags product
    read -ra flags <<<"$1"
    shift
    for product in "$@"; do
        say "Building $product"
        swift build "${flags[@]}" --product "$product" >&2 || fail "$product does not build; see above."
    done
    programs=$(swift build "${flags[@]}" --show-bin-path)
}

# Whether something listens on TCP port $2 of host $1.
is_listening() {
    (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null
}

# The first TCP port from $2 on that nobody listens on, neither at $1 nor at 127.0.0.1: a server may want all addresses.
free_port() {
    local port
    for ((port = $2; port < $2 + 200; port++)); do
        is_listening "$1" "$port" || is_listening 127.0.0.1 "$port" || {
            printf '%s\n' "$port"
            return 0
        }
    done
    return 1
}

# Whether the server at $1:$2 says that it is ready. Speaks HTTP itself: a fresh machine has no curl.
is_ready() {
    local line
    {
        printf 'GET /readyz HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n' "$1" "$2" >&3 &&
            IFS= read -r -t 5 line <&3
    } 2>/dev/null 3<>"/dev/tcp/$1/$2" || return 1
    [[ $line == "HTTP/1.1 200"* ]]
}

# Ends process $1, which this script started: asks, waits up to ten seconds, then insists.
end_process() {
    local tenths=0
    kill -TERM "$1" 2>/dev/null || return 0
    while kill -0 "$1" 2>/dev/null; do
        if [ $((tenths++)) -eq 100 ]; then
            kill -KILL "$1" 2>/dev/null || :
            break
        fi
        sleep 0.1
    done
    # How it ended is of no interest any more.
    wait "$1" 2>/dev/null || :
}
