/// A form of a page: where it goes, and what can be filled in and pressed.
package struct HTMLForm: Sendable {
    /// A field or a button.
    package struct Control: Sendable, Hashable {
        /// The `type`: `hidden`, `text`, `password`, `submit`, …
        package let type: String
        package let name: String
        package let value: String
        /// What a button says, or the text of a field's label.
        package internal(set) var label: String
        let id: String?

        package var isButton: Bool { self.type == "submit" }
    }

    /// The address it is sent to, as the page says it; `nil` is the page's own.
    package let action: String?
    /// `get` or `post`.
    package let method: String
    package internal(set) var controls: [Control] = []

    init(_ attributes: [String: String]) {
        self.action = attributes["action"].flatMap { $0.isEmpty ? nil : $0 }
        self.method = attributes["method"]?.lowercased() ?? "get"
    }

    /// The field of this type, such as `password`.
    package func field(ofType type: String) -> Control? { self.controls.first { $0.type == type } }

    package func field(named name: String) -> Control? { self.controls.first { $0.name == name && !$0.isButton } }

    package var buttons: [Control] { self.controls.filter(\.isButton) }

    package func button(named name: String, value: String? = nil) -> Control? {
        self.buttons.first { $0.name == name && (value == nil || $0.value == value) }
    }

    /// What a browser sends when `button` is pressed: every field in the page's order, hidden ones too, with what was
    /// typed in place of what the page proposed, and of the buttons the pressed one alone.
    package func entries(typing typed: [String: String], pressing button: Control?) -> [(name: String, value: String)] {
        var entries: [(name: String, value: String)] = []
        for control in self.controls where !control.name.isEmpty {
            if control.isButton {
                if control == button { entries.append((control.name, control.value)) }
            } else {
                entries.append((control.name, typed[control.name] ?? control.value))
            }
        }
        return entries
    }

    /// The entries as `application/x-www-form-urlencoded` (URL Standard 5.2).
    package static func urlEncoded(_ entries: [(name: String, value: String)]) -> String {
        entries.map { "\(Self.urlEncoded($0.name))=\(Self.urlEncoded($0.value))" }.joined(separator: "&")
    }

    package static func urlEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "): result += "+"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}
