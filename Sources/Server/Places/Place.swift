/// Roughly where an address of the Internet is used, as an operator's file says it.
package struct Place: Hashable, Sendable {
    /// The country's two letters in capitals (ISO 3166-1 alpha-2); `nil` if the file has no code for it.
    package let region: String?
    /// The country's English name, or the two letters if the file has no name.
    package let country: String
    /// The city, or the region if the file names no city.
    package let town: String?

    package init?(region: String?, country: String?, town: String? = nil) {
        let letters = region.flatMap { code in
            code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) } ? code.uppercased() : nil
        }
        guard let country = country ?? letters else { return nil }
        self.region = letters
        self.country = country
        self.town = town
    }
}
