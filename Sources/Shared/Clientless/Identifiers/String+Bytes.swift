extension String {
    /// The longest beginning of at most `count` bytes of UTF-8 that splits no character.
    ///
    /// `prefix(_:)` counts characters, and one character has any number of bytes.
    package func prefix(bytes count: Int) -> String {
        guard self.utf8.count > count else { return self }
        guard count > 0 else { return "" }
        var end = self.utf8.index(self.startIndex, offsetBy: count)
        while end > self.startIndex {
            if let whole = end.samePosition(in: self) { return String(self[..<whole]) }
            end = self.utf8.index(before: end)
        }
        return ""
    }
}
