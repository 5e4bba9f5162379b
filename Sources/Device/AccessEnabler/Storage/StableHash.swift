import Cryptography

/// Sixteen hexadecimal digits that are another for every other text.
func stableHash(_ text: String) -> String { String(Digest.sha256(text.utf8).hexString.prefix(16)) }
