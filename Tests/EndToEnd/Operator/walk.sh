#!/usr/bin/env bash
# The operator: sets a server up from nothing, as README and deploy/OPERATING.md say, pairs boxes of ten viewers, loses a
# box, renews a certificate, comes back from a backup on an empty machine, upgrades, and answers an operator's twelve
# questions by what the programs say.
#
#   walk.sh PROGRAMS FOLDER FORMER
#
# PROGRAMS has latchkeyd, latchkey and phone; FOLDER is empty, and everything happens there and on this machine alone;
# FORMER is an empty store of the schema before the present one, which former-version fills. Says a line for each check;
# the last is "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../../.."
. deploy/check/lib.sh
programs=$1
folder=$2
former=$3
. Tests/EndToEnd/Operator/stage.sh

journal=$folder/journal
: >"$journal"
mkdir "$folder/boxes" "$folder/authority"
authority=$folder/authority/ca.pem
provider=
# The connection that is open while a certificate is renewed.
connected=
# The box that shows a code. Checks have a shell of their own, so its id is in a file.
pairing=$folder/pairing
: >"$pairing"
cleanup() {
    [ ! -s "$pairing" ] || end_process "$(cat "$pairing")"
    [ -z "$connected" ] || end_process "$connected"
    [ -z "$server" ] || end_process "$server"
    [ -z "$provider" ] || end_process "$provider"
}
trap cleanup EXIT
trap 'exit 143' TERM INT
port=$(free_port 127.0.0.1 $((10000 + RANDOM % 20000)))
url=https://localhost:$port
# A TV provider of another company, which takes its time to start.
deploy/check/glewlwyd "$folder/provider" "$url/sp/login/IslandTV" >"$folder/provider.json" 2>>"$folder/talk" &
provider=$!

. Tests/EndToEnd/Operator/set-up.sh
. Tests/EndToEnd/Operator/pairing.sh
. Tests/EndToEnd/Operator/questions.sh
. Tests/EndToEnd/Operator/certificate.sh
. Tests/EndToEnd/Operator/backup.sh
. Tests/EndToEnd/Operator/upgrade.sh
systemctl stop
check "every command and option is one that the documents print" Tests/EndToEnd/Operator/printed "$folder/commands"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
