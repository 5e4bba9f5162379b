# From nothing to a server with three providers, two brands, ten viewers and their boxes' credentials. Sourced by walk.sh.

# A certificate of the authority for this machine: a name, and its days.
certify() {
    local at=$folder/authority
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$at/$1.key" -subj "/CN=$1" \
        -addext subjectAltName=DNS:localhost -out "$at/$1.csr" 2>/dev/null
    openssl x509 -req -in "$at/$1.csr" -CA "$authority" -CAkey "$at/ca.key" -days "$2" -copy_extensions copy \
        -out "$at/$1.pem" 2>/dev/null
}
# What a program that renews certificates does: a name.
install_certificate() {
    install -m 0600 "$folder/authority/$1.key" "$etc/tls/key.pem"
    install -m 0600 "$folder/authority/$1.pem" "$etc/tls/chain.pem"
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$folder/authority/ca.key" \
    -subj "/CN=The operator's authority" -days 30 -out "$authority" 2>/dev/null
certify first 5

machine
check "init makes a set-up and says what comes next" says 'latchkeyd keys issue --requestor NORTHSPORT --setup-code' \
    latchkeyd init --folder "$etc" --store "$var/latchkeyd.sqlite" --public-url "$url" \
    --provider CableNova --requestor NORTHSPORT
# The editor: port, certificate, and no throttle, as all boxes and phones are at one address here.
mkdir -m 0700 "$etc/tls"
install_certificate first
sed -i -E "s,listen: \[\"127.0.0.1:[0-9]+\"\],listen: [\"127.0.0.1:$port\"],
    s,// (certificate: \"tls/chain.pem\"),\1,
    s,// (certificateKey: \"tls/key.pem\"),\1,
    /throttle: \{/,/\}/s,// enabled: true,enabled: false," "$LATCHKEYD_CONFIG"
check "check-config finds no fault" says 'no faults' latchkeyd check-config
comments=$(grep -c '//' "$LATCHKEYD_CONFIG")
systemctl start
ready() { curl -sS -o "$folder/answer" -w '%{http_code}\n' --cacert "$authority" "$url/readyz"; }
check "the server is ready" says '^200$' ready

# Question 1: how do I add a provider? One of another company, and a free preview.
facts=$(await "$folder/provider.json" 0 '^\{')
issuer=$(jq -r .issuer <<<"$facts")
pages=$(jq -r .url <<<"$facts")
jq -r '.clients[0].secret' <<<"$facts" | install -m 0600 /dev/stdin "$etc/island-tv.secret"
{
    latchkeyd provider add IslandTV --name 'Island TV' --kind oidc --issuer "$issuer" --client-id latchkey \
        --client-secret island-tv.secret --line-up-claim channels --requestor NORTHSPORT
    latchkeyd provider add FreePreview --name 'Free preview' --kind temporaryPass --lifetime 10m
    # Question 2: how do I add a brand?
    latchkeyd requestor add NORTHKIDS --name 'North Kids' --provider CableNova
    latchkeyd requestor edit NORTHKIDS --add-provider FreePreview
} 2>>"$folder/talk"
check "the configuration has no fault after the changes" says 'no faults' latchkeyd check-config
systemctl reload
check "question 1: three providers" counts 3 '^(CableNova .*local|IslandTV .*oidc|FreePreview .*temporaryPass) ' \
    latchkeyd provider list
check "question 1: the new one answers, and is told where to send browsers" says "$url/sp/login/IslandTV" \
    latchkeyd provider check IslandTV
check "question 2: two brands, each with its providers" \
    counts 2 '^(NORTHSPORT .* CableNova, IslandTV|NORTHKIDS .* CableNova, FreePreview) *$' latchkeyd requestor list
kept() { [ "$(grep -c '//' "$LATCHKEYD_CONFIG")" -ge "$comments" ]; }
check "the comments of the configuration are kept" kept
check "a mistyped provider is found, with what may be meant" ends 64 "Did you mean 'CableNova'" \
    latchkeyd requestor edit NORTHKIDS --add-provider CabelNova

# Ten viewers; anna plays one channel, the others two.
viewers=(anna bert cleo dora emil finn gwen hans inga jens)
{
    echo name,password,channels
    for viewer in "${viewers[@]}"; do
        case $viewer in anna) ;; *) more='|North Sport 2' ;; esac
        echo "$viewer,$viewer-secret-7,North Sport HD${more:-}"
    done
} | install -m 0600 /dev/stdin "$folder/viewers.csv"
check "ten viewers are added" says '10 viewers' latchkeyd user import "$folder/viewers.csv"
rm "$folder/viewers.csv"
check "ten viewers are there, with what they may play" counts 10 '^CableNova +[a-j]\w+ +North Sport HD' latchkeyd user list

# Question 3: how does a box get its credential? The name of the box, and its brand.
set_up_box() {
    local code
    code=$(latchkeyd keys issue --requestor "$2" --setup-code --for "$1" --json 2>>"$folder/talk" | jq -r .code)
    echo "$code" >>"$folder/codes"
    at_box "$1" init --server "$url" --code "$code" --certificate-authority "$authority" --name "Box $1" \
        >>"$folder/talk" 2>&1
    # What a box is comes from its machine, and these are one.
    sed -i "s/^{/{ scope: \"$1\",/" "$folder/boxes/$1.json5"
}
boxes=("${viewers[@]}" anna-bedroom island)
for name in "${boxes[@]}"; do set_up_box "$name" NORTHSPORT; done
set_up_box preview NORTHKIDS
check "question 3: each box has a credential of its own, by its name" \
    counts 12 ' NORTHSPORT +(anna-bedroom|island|[a-j]\w{3})$' latchkeyd keys list
check "a code that was used sets no second box up" ends 77 'code' \
    at_box thief init --server "$url" --code "$(head -n 1 "$folder/codes")" --certificate-authority "$authority"
