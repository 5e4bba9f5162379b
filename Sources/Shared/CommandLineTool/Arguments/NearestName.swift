/// The name that differs least from `word`, whatever the case, if it differs by no more than a third of its letters.
package func nearestName(to word: String, among names: [String]) -> String? {
    // Longer words are no typing mistake, and the distance costs the product of both lengths.
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().utf8)
    let allowed = max(1, letters.count / 3)
    let ranked = names.map { (name: $0, distance: editDistance(letters, Array($0.lowercased().utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= allowed else { return nil }
    return best.name
}

/// How many insertions, removals, replacements and swaps of neighbours lead from `left` to `right`.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        for column in 0..<right.count {
            var cost = min(
                last[column + 1] + 1, current[column] + 1, last[column] + (left[row] == right[column] ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
