package import Clientless

/// A code as a person types it: with other dashes and blanks, on a keyboard of their script, and with symbols that no
/// issued code has but that look like one it has.
package enum TypedCode {
    /// - Returns: `nil` when no code can be meant.
    package static func read(_ text: String) -> RegistrationCodeText? {
        guard text.utf8.count <= 64 else { return nil }
        var plain = ""
        for scalar in text.unicodeScalars {
            guard let symbol = self.symbol(scalar.value) else { return nil }
            plain.unicodeScalars.append(contentsOf: symbol)
        }
        return RegistrationCodeText(plain)
    }

    /// The symbol that `scalar` stands for, or none for a separator.
    private static func symbol(_ scalar: UInt32) -> [Unicode.Scalar]? {
        switch scalar {
        case 0x09, 0x0A, 0x0D, 0x20, 0x2D, 0xA0, 0xAD, 0x2000...0x200F, 0x2010...0x2015, 0x2066...0x2069, 0x2212,
            0x3000, 0x30FC, 0xFE58, 0xFE63:
            return []
        // Full-width letters, digits and hyphens, which Japanese keyboards type.
        case 0xFF01...0xFF5E: return self.symbol(scalar - 0xFEE0)
        case 0x0660...0x0669: return self.symbol(scalar - 0x0660 + 0x30)
        case 0x06F0...0x06F9: return self.symbol(scalar - 0x06F0 + 0x30)
        // Codes have neither vowels nor 0 and 1 (rest-v1 11.1).
        case 0x31, 0x49, 0x69: return ["L"]
        case 0x30, 0x4F, 0x6F: return ["Q"]
        case 0x55, 0x75: return ["V"]
        case 0x32...0x39, 0x41...0x5A, 0x61...0x7A: return Unicode.Scalar(scalar).map { [$0] }
        default: return nil
        }
    }
}
