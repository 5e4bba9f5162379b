import Cryptography

/// The short code a person reads: upper case, without separators (rest-v1 11.1).
///
/// Seven characters of ``alphabet`` are issued, eight when many codes are live. Any case, spaces and hyphens are
/// accepted on input, and six to eight letters and digits, since codes of other issuers may be shown in the same place.
package struct RegistrationCodeText: Hashable, Sendable, Codable {
    /// The symbols of issued codes: no vowels, no Y, no 0 or 1.
    package static let alphabet: [UInt8] = Array("BCDFGHJKLMNPQRSTVWXZ23456789".utf8)

    /// The canonical form, for the wire and the store.
    package let text: String

    /// Reads what a person typed or a box sent.
    /// - Returns: `nil` when it is not six to eight ASCII letters and digits once spaces and hyphens are gone.
    package init?(_ input: String) {
        guard input.utf8.count <= 32 else { return nil }
        // Boxes send a code as they were given it.
        let given = input.utf8
        let symbols = given.span
        if (6...8).contains(symbols.count), symbols.indices.allSatisfy({ Self.isCanonical(symbols[$0]) }) {
            self.text = input
            return
        }
        let bytes = Self.symbols(typed: input)
        guard (6...8).contains(bytes.count), bytes.allSatisfy(Self.isCanonical) else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a code as a person types one, in upper case and without separators.
    static func symbols(typed text: some StringProtocol) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): nil
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            default: byte
            }
        }
    }

    private static func isCanonical(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Makes a code of `length` symbols that no guesser can foretell.
    package static func random(length: Int) -> RegistrationCodeText {
        var generator = SecureRandomGenerator()
        return self.random(length: length, using: &generator)
    }

    /// Makes a code of `length` symbols, each uniform over ``alphabet``.
    package static func random(
        length: Int = 7, using generator: inout some RandomNumberGenerator
    ) -> RegistrationCodeText {
        precondition((6...8).contains(length), "a registration code has six to eight characters")
        // One draw for all symbols, as the generator may ask the system for each: the digits of a number below 28^length.
        let base = UInt64(Self.alphabet.count)
        var number = generator.next(upperBound: (0..<length).reduce(1) { power, _ in power * base })
        let bytes = (0..<length).map { _ in
            defer { number /= base }
            return Self.alphabet[Int(number % base)]
        }
        return RegistrationCodeText(canonical: String(decoding: bytes, as: UTF8.self))
    }

    private init(canonical: String) { self.text = canonical }

    /// The code in two groups for reading aloud, such as `7KQ-4M2X`.
    package var grouped: String {
        "\(self.text.prefix(self.text.count / 2))-\(self.text.suffix(self.text.count - self.text.count / 2))"
    }
}

// A live code must not reach a log by interpolation; `text` and `grouped` are the deliberate ways.
extension RegistrationCodeText: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<code>" }
    package var debugDescription: String { "<code>" }
}
