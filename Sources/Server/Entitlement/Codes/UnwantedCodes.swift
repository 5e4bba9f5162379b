/// Letter groups nobody wants to read aloud from a television, as far as the alphabet can spell them (rest-v2 7.2).
enum UnwantedCodes {
    private static let groups = [
        "BTCH", "CNT", "DCK", "FCK", "FVCK", "KKK", "NGR", "NZ", "PSS", "SHT", "SLT", "TWT", "WTF",
    ]

    static func contains(_ code: String) -> Bool {
        self.groups.contains { group in
            var rest = Substring(code)
            while rest.utf8.count >= group.utf8.count {
                if rest.hasPrefix(group) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
    }
}
