# What an operator is asked by day, answered by what the programs say. Sourced by walk.sh.

box_of() { latchkeyd boxes list --viewer "$1" | awk -v name="Box $2" 'index($0, "  " name "  ") { print $1 }'; }

# Question 12: anna wants another channel.
box=$(box_of anna anna)
explained=(latchkeyd explain --box "$box" --channel 'North Sport 2')
check "question 12: it is said why anna may not play, and what gives it" \
    ends 3 "anna does not have the channel; 'latchkeyd user channels add' gives it" "${explained[@]}"
latchkeyd user channels add anna 'North Sport 2' 2>>"$folder/talk"
check "question 12: after that she may" says '^It may play' "${explained[@]}"
check "and does" says VALID_TOKEN plays anna 'North Sport 2'

# Question 11: anna's TV in the bedroom was stolen. Which boxes does she have?
check "question 11: anna has two boxes, by the names their pages showed" \
    counts 2 '^[0-9a-f]{8}-[0-9a-f]{8} +Box anna(-bedroom)? +NORTHSPORT +CableNova ' latchkeyd boxes list --viewer anna
lost=$(box_of anna anna-bedroom)
check "question 11: it is seen what the lost one may play" says 'permit +North Sport HD' latchkeyd boxes show "$lost"
check "question 11: it is signed out" ends 0 '' latchkeyd boxes sign-out "$lost"
check "question 11: the box hears of it, and by whom" \
    eventually ends 2 '"reason":"ended_by_operator"' at_box anna-bedroom status --json
check "it plays no more" ends 2 '' at_box anna-bedroom authorize 'North Sport HD'
check "her other box plays on" says VALID_TOKEN plays anna 'North Sport HD'
check "she has one box" counts 1 '^[0-9a-f]{8}-[0-9a-f]{8} ' latchkeyd boxes list --viewer anna
check "it is kept who signed it out" says ":$(id -un) +box.sign-out +device $lost" latchkeyd audit

# Question 10: many boxes, each with a credential of its own, so that one can be ended.
key=$(latchkeyd keys list | awk '$NF == "emil" { print $1 }')
check "question 10: the key of one box is revoked" ends 0 '' latchkeyd keys revoke "$key"
check "question 10: that box is refused" eventually ends 77 'credentials' at_box emil authorize 'North Sport HD'
check "question 10: the others play on" says VALID_TOKEN plays finn 'North Sport HD'
check "it is kept that the key was revoked" says "revoke +key $key" latchkeyd audit

# Question 7: where are the logs? Why could jens not sign in?
who=$(latchkeyd boxes list --viewer jens 2>&1 >/dev/null | grep -o 'viewer=[0-9a-f]*')
check "question 7: the log says what became of his sign-in" \
    says "a TV provider did not accept a viewer box=$(box_of jens jens) .*provider=CableNova .*$who" journalctl -u latchkeyd
check "question 7: and by which request, of which network" \
    says 'a TV provider did not accept a viewer .*network=127\.0\.0\.0/24 .*request_id=[0-9a-f-]{36}' journalctl -u latchkeyd
check "question 7: it says who refused a channel" says 'a box may not play .*reason=provider' journalctl -u latchkeyd
{
    cat "$folder/codes"
    jq -r 'select(.code) | .code, .displayCode' "$folder"/boxes/*.events
    printf '%s-secret-7\n' "${viewers[@]}"
    grep -hoE 'privateKey: "[^"]*"' "$folder"/boxes/*.json5 | cut -d '"' -f 2
} >"$folder/secrets"
tells_none() { [ "$(lines "$folder/secrets")" -ge 60 ] && ! grep -F -f "$folder/secrets" "$journal"; }
check "no code, password or key is in the log" tells_none

# Question 8: health and numbers.
metrics() { curl -sS --fail --cacert "$authority" "$url/metrics"; }
check "question 8: it is ready" says '^200$' ready
check "question 8: it counts sign-ins by provider" counts 3 \
    '^latchkey_sign_ins_total\{provider="(CableNova",outcome="confirmed"\} 11|IslandTV",outcome="confirmed"\} 1|FreePreview",outcome="confirmed"\} 1)$' \
    metrics

# A proxy that the configuration does not know of would make all viewers one.
curl -sS --fail --cacert "$authority" -H 'X-Forwarded-For: 203.0.113.9' "$url/activate" >>"$folder/talk"
check "question 8: the log tells of a proxy that is not trusted" \
    eventually says 'X-Forwarded-For came from an address that is not in server.trustedProxies' journalctl -u latchkeyd

# Question 9: a key is lost, damaged, or that of another set-up.
mv "$etc/keys/token-signing-1.pem" "$folder/token-signing-1.pem"
check "question 9: a lost key is named" ends 78 'has no token-signing-1.pem' latchkeyd check-config
echo damaged | install -m 0600 /dev/stdin "$etc/keys/token-signing-1.pem"
check "question 9: a damaged one is named" ends 78 'token-signing-1.pem' latchkeyd check-config
mv "$folder/token-signing-1.pem" "$etc/keys/token-signing-1.pem"
latchkeyd init --folder "$folder/another" --public-url "$url" >>"$folder/talk"
mv "$etc/keys" "$folder/keys"
cp -R "$folder/another/keys" "$etc/keys"
check "question 9: keys of another set-up are seen" ends 78 'another set-up' latchkeyd check-config
rm -r "$etc/keys" "$folder/another"
mv "$folder/keys" "$etc/keys"
check "question 9: with its own keys all is whole" ends 0 '' latchkeyd check
