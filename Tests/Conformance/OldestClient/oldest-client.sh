#!/bin/sh
# A box in the style of the oldest clients: it signs one header when it starts and sends it with every call, asks for no
# form of answer where it reads XML, does not encode its form, doubles a slash, and never signs the call it makes.
#
#   oldest-client.sh BASE_URL FOLDER
#
# The environment names the rest: REQUESTOR, PUBLIC_KEY, PRIVATE_KEY; RESOURCE to play; and for the person with the
# browser MVPD, DOMAIN, REDIRECT_URL, ACCOUNT, PASSWORD. VERIFY is a command that reads a media token from standard
# input. FOLDER is for the browser's cookies. Talk goes to standard error; standard output gets the verdict.
set -eu

base=$1
cookies=$2/cookies
device=$(openssl rand -hex 32)

say() { printf '%s\n' "$*" >&2; }
fail() {
    say "oldest client: $*"
    exit 1
}

# The text of the first element whose local name is $1, from an XML document on standard input.
element() { tr '<' '\n' | grep -E "^([A-Za-z0-9]+:)?$1[ >]" | head -n 1 | cut -d '>' -f 2; }
# The text of the member $1, from a JSON object on standard input.
member() { tr ',{}' '\n' | grep "^\"$1\":" | head -n 1 | cut -d : -f 2- | tr -d '"'; }
# The value of the attribute $1 of the first tag on standard input that matches $2.
attribute() { tr '<' '\n' | grep -E "$2" | head -n 1 | sed -n "s/.* $1=\"\([^\"]*\)\".*/\1/p"; }

# Once, for all calls of this run.
text="POST requestor_id=$REQUESTOR, nonce=$(openssl rand -hex 16), signature_method=HMAC-SHA1"
text="$text, request_time=$(date +%s)000, request_uri=/regcode"
signature=$(printf %s "$text" | openssl dgst -sha1 -hmac "$PRIVATE_KEY" -binary | openssl base64)
authorization="Authorization: $text, public_key=$PUBLIC_KEY, signature=$signature"

# Calls the service; the last line is the status.
call() { curl -sS --path-as-is -H 'Accept:' -H 'User-Agent:' -H "$authorization" -w '\n%{http_code}' "$@"; }
# Calls an endpoint with a GET, and expects the status $1.
get() {
    expected=$1 endpoint=$2
    answer=$(call "$base/api/v1/$endpoint?deviceId=$device&requestor=$REQUESTOR&resource=$encoded_resource")
    status=$(printf '%s\n' "$answer" | tail -n 1)
    [ "$status" = "$expected" ] || fail "$endpoint answered $status in place of $expected: $answer"
    printf '%s\n' "$answer" | sed '$d'
}

encoded_resource=$(printf %s "$RESOURCE" | sed 's/ /%20/g')

say "A code"
answer=$(call --data-raw "deviceId=$device&deviceType=set top box&registrationURL=$base/activate&ttl=" \
    "$base//reggie/v1/$REQUESTOR/regcode")
code=$(printf '%s\n' "$answer" | element code)
[ ${#code} = 7 ] || fail "no code of 7 characters: $answer"
[ "$(printf '%s\n' "$answer" | element deviceType)" = "set top box" ] || fail "another device type: $answer"
get 403 checkauthn.json >/dev/null

say "A person with a browser"
# The form of the page on standard input that goes on: the first but that of the languages.
first_form() { tr '\n' ' ' | sed 's:</form>:&\n:g' | grep -v 'action="/activate/language"' | head -n 1; }
# Sends the form $1 with further arguments of curl, and prints where the browser is sent.
submit() {
    form=$1
    shift
    for name in $(printf '%s' "$form" | tr '<' '\n' | grep '^input .*type="hidden"' | sed 's/.* name="\([^"]*\)".*/\1/'); do
        set -- "$@" --data-urlencode "$name=$(printf '%s' "$form" | attribute value "^input .*name=\"$name\"")"
    done
    browse -o /dev/null -w '%{redirect_url}' "$@" "$base$(printf '%s' "$form" | attribute action '^form ')"
}

browse() { curl -sS -b "$cookies" -c "$cookies" -H 'Accept: text/html' "$@"; }
login="reg_code=$code&requestor_id=$REQUESTOR&mso_id=$MVPD&domain_name=$DOMAIN&noflash=true&no_iframe=true"
# The redirect is last because it is not encoded.
where=$(browse -o /dev/null -w '%{redirect_url}' "$base/api/v1/authenticate?$login&redirect_url=$REDIRECT_URL")
page=$(browse "$where" | first_form)
account_field=$(printf '%s' "$page" | attribute name '^input .*type="text"')
password_field=$(printf '%s' "$page" | attribute name '^input .*type="password"')
[ -n "$password_field" ] || fail "no form to sign in with: $page"
question=$(submit "$page" --data-urlencode "$account_field=$ACCOUNT" --data-urlencode "$password_field=$PASSWORD")
# The server asks whether this is the viewer's box.
end=$(submit "$(browse "$question" | first_form)" --data-urlencode decision=confirm)
[ "$end" = "$REDIRECT_URL" ] || fail "the browser was sent to $end"

say "Six calls, one header"
get 200 checkauthn.json >/dev/null
[ "$(get 200 tokens/authn.json | member mvpd)" = "$MVPD" ] || fail "another provider"
[ "$(get 200 authorize.json | member resource)" = "$RESOURCE" ] || fail "another resource"
get 200 tokens/authz.json >/dev/null
token=$(get 200 tokens/media.json | member serializedToken)
# Not every provider knows anything.
metadata=$(call -o /dev/null "$base/api/v1/tokens/usermetadata.json?deviceId=$device")
case $metadata in *200 | *404) ;; *) fail "tokens/usermetadata answered $metadata" ;; esac
# And the same without a suffix, as XML.
[ "$(get 200 tokens/authn | element mvpd)" = "$MVPD" ] || fail "another provider in XML"
expires=$(get 200 tokens/authn | element expires)
[ "$expires" -gt "$(date +%s)000" ] || fail "the sign-in is over already: $expires"

say "The media back end"
verdict=$(printf '%s' "$token" | sh -c "$VERIFY") || fail "the token is not valid: $verdict"

say "Logout, twice"
for _ in 1 2; do
    status=$(call -X DELETE "$base/api/v1/logout.json?deviceId=$device" | tail -n 1)
    [ "$status" = 204 ] || fail "logout answered $status"
done
get 404 tokens/authn.json >/dev/null
get 403 tokens/media.json >/dev/null

printf '%s\n' "$verdict"
