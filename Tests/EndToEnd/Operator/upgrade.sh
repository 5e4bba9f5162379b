# Question 6: a newer version comes, and goes back once. Sourced by walk.sh.

systemctl stop
store=$var/latchkeyd.sqlite
Tests/EndToEnd/Operator/former-version "$store" "$former"
begin=$(lines "$journal")
check "a command says that the store is that of an older version" ends 74 "latchkeyd migrate" latchkeyd boxes list
systemctl start
copy=$(tail -n +$((begin + 1)) "$journal" | grep -oE "$store\.schema[0-9]+" | head -n 1)
check "question 6: the log names the copy of the store as it was" [ -n "$copy" ]
check "question 6: the copy is there, and private" says '^600$' stat -c %a "$copy"
check "what was paired stays paired" ends 0 '' at_box cleo status
check "and plays" says VALID_TOKEN plays cleo 'North Sport HD'
check "all is whole" ends 0 '' latchkeyd check
# In between: something that is lost on the way back, and an end, which is not.
latchkeyd user channels add bert 'North Kids' 2>>"$folder/talk"
latchkeyd user remove dora 2>>"$folder/talk"
systemctl stop

# As long as a command runs, the store says that a newer version wrote it.
of_newer_version() {
    local number status=0
    number=$(sqlite3 "$store" 'PRAGMA user_version')
    sqlite3 "$store" 'PRAGMA user_version = 9999'
    "$@" || status=$?
    sqlite3 "$store" "PRAGMA user_version = $number"
    return $status
}
# What an older program would say of a newer store is asked of this one.
check "a store of a newer version is refused, with what to do" ends 74 'newer latchkeyd' of_newer_version latchkeyd check

# Back: the copy takes the store's place, and the older program what it knows.
rm -f "$store" "$store-wal" "$store-shm"
install -m 0600 "$copy" "$store"
check "question 6: 'migrate' brings it up to date again without serving" says 'brought up to date' latchkeyd migrate
systemctl start
check "what happened in between is lost" omits 'North Kids' latchkeyd user list
check "but for what was ended in between" counts 9 '^CableNova ' latchkeyd user list
check "and the boxes play" says VALID_TOKEN plays cleo 'North Sport HD'
check "the program says which version it is" says '^latchkeyd [0-9]+\.[0-9]+' latchkeyd --version
