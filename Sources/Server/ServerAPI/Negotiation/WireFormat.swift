import Clientless

/// The two forms an answer can take (rest-v1 3.5).
package enum WireFormat: Hashable, Sendable {
    case json
    case xml

    /// The content type of an answer in this form.
    package var contentType: String {
        switch self {
        case .json: "application/json;charset=utf-8"
        case .xml: "application/xml;charset=utf-8"
        }
    }

    /// The form of moments and members.
    var shape: ShapeForm {
        switch self {
        case .json: .json
        case .xml: .xml
        }
    }

    /// Reads a path suffix or the value of `format`.
    /// - Returns: `nil` for anything but `json` and `xml`, in any case; an unknown value counts as absent.
    package init?(name: some StringProtocol) {
        switch name.utf8.count {
        case 4 where name.utf8.elementsEqual("json".utf8, by: Self.equalIgnoringCase): self = .json
        case 3 where name.utf8.elementsEqual("xml".utf8, by: Self.equalIgnoringCase): self = .xml
        default: return nil
        }
    }

    private static func equalIgnoringCase(_ left: UInt8, _ right: UInt8) -> Bool { left | 0x20 == right }
}
