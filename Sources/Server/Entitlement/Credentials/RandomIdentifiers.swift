import Cryptography

/// A version 4 UUID (RFC 9562, section 5.4) as lower-case text.
package func randomUUID() -> String {
    var bytes = SecureRandom.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, digit) in Hex.encode(bytes).utf8.enumerated() {
        if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
        text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
}
