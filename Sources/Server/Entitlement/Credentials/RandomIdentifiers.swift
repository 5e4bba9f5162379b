import Cryptography

/// A version 4 UUID (RFC 9562, section 5.4) as lower-case text.
package func randomUUID() -> String {
    var bytes = SecureRandom.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = Array(Hex.encode(bytes).utf8)
    for place in [8, 13, 18, 23] { text.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: text, as: UTF8.self)
}
