import Clientless

@testable import MediaTokenVerifier

extension FuzzTarget {
    /// A media token as a playback back end receives it, in any of its wrappings.
    static let mediaToken = FuzzTarget("media-token") { input in
        for document in TokenText.documents(from: text(input)) {
            precondition(document.element.utf8.count <= 65_536, "documents are bounded")
        }
    }
}
