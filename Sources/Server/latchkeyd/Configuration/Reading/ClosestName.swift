/// The known name that a mistyped one probably meant.
enum ClosestName {
    /// - Returns: the name with the fewest single-letter differences, if those are at most a third of the letters.
    static func to(_ word: String, among names: [String]) -> String? {
        // What is longer is no typing mistake, and the distance costs the product of both lengths.
        guard word.utf8.count <= 64 else { return nil }
        let letters = Array(word.lowercased().utf8)
        let ranked = names.map { (name: $0, distance: Self.distance(letters, Array($0.lowercased().utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= max(1, letters.count / 3)
        else { return nil }
        return best.name
    }

    /// How many insertions, removals and replacements lead from one to the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
