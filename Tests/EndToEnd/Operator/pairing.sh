# The boxes' pairings: confirmed, declined, refused, at each kind of provider; and what they may play. Sourced by walk.sh.

check "a wrong password leads nowhere" ends 1 '"message":"wrong_credentials"' \
    pair jens jens wrong --provider CableNova
check "a box that its viewer declines is not signed in" ends 4 declined \
    pair preview '' '' decline --provider FreePreview
for viewer in "${viewers[@]}"; do
    check "$viewer's box is paired" pair "$viewer" "$viewer" "$viewer-secret-7" --provider CableNova
done
check "anna has a second box" pair anna-bedroom anna anna-secret-7 --provider CableNova
check "a viewer of the other company's provider is signed in there" \
    pair island bert bert-password --provider IslandTV --pages "$pages"
check "a preview needs no account" pair preview '' '' --provider FreePreview

# A token that a back end believes: the box, and the channel.
plays() { at_box "$1" authorize "$2" | latchkeyd verify-media-token; }
for viewer in anna jens anna-bedroom; do
    check "$viewer plays" says VALID_TOKEN plays "$viewer" 'North Sport HD'
done
check "the other company's viewer plays what its claim says" says VALID_TOKEN plays island NS-KIDS
check "and nothing else" ends 3 '' at_box island authorize NS-MAIN
check "a preview plays" says VALID_TOKEN plays preview 'North Kids'
check "anna plays no channel that she has not" ends 3 '' at_box anna authorize 'North Sport 2'
