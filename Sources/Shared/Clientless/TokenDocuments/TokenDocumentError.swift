/// Why a token document cannot be read or written.
package struct TokenDocumentError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String { case malformed, invalidElement, forbiddenCharacter }

        private let value: Value

        /// Not a signature element followed by one well-formed token element, or too long.
        package static let malformed = Code(value: .malformed)
        /// An element is missing, there twice, or holds what it cannot.
        package static let invalidElement = Code(value: .invalidElement)
        /// A value to be written holds a character that XML 1.0 cannot carry. Leaving it out would make a token for
        /// something else, so the document is refused.
        package static let forbiddenCharacter = Code(value: .forbiddenCharacter)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// The name of the element, if one is to blame; never its content.
    package private(set) var element: String?
}

extension TokenDocumentError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }
    package var debugDescription: String { "\(self.code): \(self.element ?? "–")" }
}
