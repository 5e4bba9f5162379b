import Clientless

/// An XML answer of the SDK services (sdk-services 1): values by name, one level deep below the root.
struct ServiceDocument {
    let root: String
    private let values: [String: String]

    /// - Returns: `nil` for a text that is not a small, well-formed document.
    init?(_ text: String) {
        guard let document = FlatXMLDocument(text) else { return nil }
        self.root = document.root
        self.values = document.values
    }

    /// The text of an element below the root.
    subscript(name: String) -> String? { self.values[name] }

    /// `<pendingLogout/>`: the presented token was revoked.
    var isPendingLogout: Bool { self.root == "pendingLogout" }
    var isError: Bool { self.root == "error" }
}
