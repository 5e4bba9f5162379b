import Cryptography

/// A folder's name for an identifier, another one for every other identifier: itself where it can be one, else a hash.
/// - Parameter prefix: what the name of a hash begins with.
func folderName(_ identifier: String, prefix: String) -> String {
    let isPlain =
        (1...128).contains(identifier.utf8.count) && !identifier.hasPrefix(".")
        && !identifier.hasPrefix("\(prefix)-")
        && identifier.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    return isPlain ? identifier : "\(prefix)-\(stableHash(identifier))"
}

/// Thirty-two hexadecimal digits that are another for every other text.
func stableHash(_ text: String) -> String {
    Hex.encode(Digest.sha256(text.utf8).prefix(16))
}
