import Cryptography

/// Names and values as `application/x-www-form-urlencoded`, spaces as `%20`, which every reader takes.
func formEncoded(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
}

/// Everything but the unreserved characters of RFC 3986 2.3 as `%XX`.
package func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default: encoded += "%" + Hex.encode([byte]).uppercased()
        }
    }
    return encoded
}

/// The text with `%XX` put back; a percent sign without two digits stays as it is.
package func percentDecoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2, let high = Hex.value(of: rest[rest.startIndex]),
            let low = Hex.value(of: rest[rest.startIndex + 1])
        {
            bytes.append(high << 4 | low)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
