# Question 5: two nights' backups, a machine that is gone, and an empty one in its place. Sourced by walk.sh.

# OPERATING's first line; the timer's unit runs the script.
echo 'correct horse battery staple' | install -m 0600 /dev/stdin "$etc/backup.passphrase"
cp "$etc/backup.passphrase" "$folder/kept.passphrase"
night() {
    LATCHKEYD=$programs/latchkeyd LATCHKEYD_PASSPHRASE=$etc/backup.passphrase \
        deploy/package/systemd/backup "$folder/backups" 1
}
check "question 5: the first night makes a backup" night
# A day passes; backups are named by their time.
mv "$folder"/backups/latchkeyd-* "$folder/backups/latchkeyd-$(date -u -d yesterday +%Y-%m-%dT%H%M%SZ)"
latchkeyd boxes sign-out "$(box_of hans hans)" >>"$folder/talk" 2>&1
check "question 5: the second night makes another" night
archives=("$folder"/backups/latchkeyd-*)
check "old backups go" [ ${#archives[@]} = 1 ]
# What the backup cannot know.
latchkeyd boxes sign-out "$(box_of gwen gwen)" >>"$folder/talk" 2>&1

systemctl stop
# A server adds its counts every half minute, and when it stops.
check "question 8: the report has the sign-ins of this day by provider" \
    counts 3 '^(CableNova( +[0-9]+){4} +11 |IslandTV( +[0-9]+){4} +1 |FreePreview( +[0-9]+){4} +1 )' \
    latchkeyd report --by provider
mv "$folder/machine" "$folder/gone"
machine
check "a wrong passphrase opens nothing" ends 65 '' \
    latchkeyd restore --folder "$etc" --passphrase-file <(echo 'not the passphrase') "${archives[0]}"
check "question 5: the backup comes back, with what has to be put elsewhere" says '1-latchkeyd.sqlite-revoked -> ' \
    latchkeyd restore --folder "$etc" --passphrase-file "$folder/kept.passphrase" \
    --revoked "$folder/gone/var/lib/latchkeyd/latchkeyd.sqlite-revoked" "${archives[0]}"
install -m 0600 "$etc/elsewhere/1-latchkeyd.sqlite" "$var/latchkeyd.sqlite"
install -m 0600 "$etc/elsewhere/1-latchkeyd.sqlite-revoked" "$var/latchkeyd.sqlite-revoked"
check "question 5: configuration, keys and store belong together" ends 0 '' latchkeyd check
systemctl start
check "the machine is ready" says '^200$' ready
check "the viewers are there" counts 10 '^CableNova ' latchkeyd user list
check "what anna may play is, too" says '^CableNova +anna +North Sport HD, North Sport 2' latchkeyd user list
check "the brands and providers are there" counts 2 '^NORTH' latchkeyd requestor list
for name in anna bert island preview; do
    check "the box $name is still signed in" ends 0 '' at_box "$name" status
done
check "and plays" says VALID_TOKEN plays bert 'North Sport HD'
check "the lost box stays signed out" ends 2 '' at_box anna-bedroom status
check "so does what was signed out before the backup" ends 2 '' at_box hans status
check "and what was signed out after it" ends 2 '' at_box gwen status
check "the revoked key stays so" ends 77 '' at_box emil authorize 'North Sport HD'
check "it is still known who did what" says "$lost" latchkeyd audit
