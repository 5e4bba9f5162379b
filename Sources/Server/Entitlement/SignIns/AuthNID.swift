/// The GUID of an AuthN record: 32 lower-case hex digits, unguessable.
package struct AuthNID: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

extension AuthNID: CustomStringConvertible {
    package var description: String { "<authentication>" }
}
