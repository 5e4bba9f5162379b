# Question 4: the certificate is renewed while the server runs. Sourced by walk.sh.

# The name in the certificate that a new connection gets.
served() { openssl s_client -connect "localhost:$port" -CAfile "$authority" </dev/null 2>/dev/null; }
check "question 4: check-config says that the certificate ends before long" \
    says 'the certificate ends before long' latchkeyd check-config
check "question 4: the log says so" says 'the certificate ends before long' journalctl -u latchkeyd
check "the first certificate is served" says '^subject=CN = first$' served
# A connection that is open before and after.
coproc connection { exec openssl s_client -connect "localhost:$port" -CAfile "$authority" -quiet 2>/dev/null; }
# The shell forgets both names once the program has ended.
connected=${connection_PID:-}
asks_again() {
    local line
    [ -n "${connection[1]:-}" ] || { echo "the connection has ended" && return 1; }
    printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' >&"${connection[1]}"
    while IFS= read -r -t 20 -u "${connection[0]}" line; do
        # A body has no line end of its own, so the next answer follows it in the same line.
        case $line in *'HTTP/1.1 200'*) return 0 ;; *'HTTP/1.1 '*) return 1 ;; esac
    done
    return 1
}
check "an open connection is answered" asks_again
certify second 90
install_certificate second
systemctl reload
check "question 4: the new certificate is served" says '^subject=CN = second$' served
check "and boxes take it" says VALID_TOKEN plays bert 'North Sport HD'
check "the open connection lives on" asks_again
check "question 4: check-config has nothing more to say of it" \
    omits 'the certificate ends before long' latchkeyd check-config
[ -z "$connected" ] || end_process "$connected"
connected=
