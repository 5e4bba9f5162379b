/// The name of a local account: 1 to 64 bytes without white space and control characters, kept in lower case.
package enum AccountName {
    package static let lengths = 1...64

    /// The form under which the account is kept.
    /// - Returns: none when `text` cannot name an account.
    package static func canonical(_ text: String) -> String? {
        let name = text.lowercased()
        let isUsable = name.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format
        }
        return isUsable && self.lengths.contains(name.utf8.count) ? name : nil
    }
}
