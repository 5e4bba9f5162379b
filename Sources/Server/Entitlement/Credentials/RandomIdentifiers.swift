import Cryptography

/// A version 4 UUID (RFC 9562, section 5.4) as lower-case text.
package func randomUUID() -> String {
    var bytes = SecureRandom.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = Hex.encode(bytes)
    var text = ""
    text.reserveCapacity(36)
    for (index, character) in hex.enumerated() {
        if [8, 12, 16, 20].contains(index) { text.append("-") }
        text.append(character)
    }
    return text
}
