/// The language of `available` that fits a wish best: the wish is shortened until it fits (RFC 4647 3.4).
/// - Parameter wish: a tag (RFC 5646) of any case, such as `pt-BR`.
package func languageFitting(_ wish: String, among available: [String]) -> String? {
    var subtags = wish.lowercased().split(separator: "-")
    while !subtags.isEmpty {
        let tag = subtags.joined(separator: "-")
        if let match = available.first(where: { $0.lowercased() == tag }) { return match }
        subtags.removeLast()
        // A single letter only announces what follows it.
        if let last = subtags.last, last.utf8.count == 1 { subtags.removeLast() }
    }
    return nil
}

/// The language tag in the name of a locale, such as `pt-BR` in `pt_BR.UTF-8@euro` (POSIX.1-2017, XBD 8.2); `nil` in
/// `C`, `POSIX` and what is no such name.
package func languageTag(ofLocale name: String) -> String? {
    guard name.utf8.count <= 64 else { return nil }
    let locale = String(name.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
    let isTag = locale.utf8.allSatisfy { byte in
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    guard isTag, (2...3).contains(locale.prefix { $0 != "-" }.utf8.count) else { return nil }
    return locale
}
