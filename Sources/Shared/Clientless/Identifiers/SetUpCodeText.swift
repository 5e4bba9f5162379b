/// The one-time code that gives a new box its configuration: upper case, without separators.
///
/// Twelve symbols of the alphabet of registration codes, which is more than 57 bits: it opens a credential and may be typed
/// an hour after it was made. Any case, spaces and hyphens are accepted on input.
package struct SetUpCodeText: Hashable, Sendable {
    package static let length = 12
    /// The longest input that is read, in bytes.
    package static let longestInput = 64

    package let text: String

    /// - Returns: `nil` if no server issues it.
    package init?(_ input: some StringProtocol) {
        guard input.utf8.count <= Self.longestInput else { return nil }
        let bytes = RegistrationCodeText.symbols(typed: input)
        guard bytes.count == Self.length, bytes.allSatisfy(RegistrationCodeText.alphabet.contains) else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    private init(canonical: String) { self.text = canonical }

    package static func random(using generator: inout some RandomNumberGenerator) -> SetUpCodeText {
        let alphabet = RegistrationCodeText.alphabet
        let bytes = (0..<Self.length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return SetUpCodeText(canonical: String(decoding: bytes, as: UTF8.self))
    }

    /// The code in three groups for reading aloud, such as `7KQ4-M2XB-CDFG`.
    package var grouped: String {
        let bytes = Array(self.text.utf8)
        return stride(from: 0, to: bytes.count, by: 4)
            .map { String(decoding: bytes[$0..<min($0 + 4, bytes.count)], as: UTF8.self) }.joined(separator: "-")
    }
}

// A live code must not reach a log by interpolation; `text` and `grouped` are the deliberate ways.
extension SetUpCodeText: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<set-up code>" }
    package var debugDescription: String { "<set-up code>" }
}
