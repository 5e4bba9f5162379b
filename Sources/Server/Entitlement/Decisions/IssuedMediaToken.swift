package import Clientless

/// A media token on its way to the box.
package struct IssuedMediaToken: Sendable {
    /// Signature element and token element, one line (rest-v1 22.4).
    package let document: String
    package let resource: Resource
    package let requestor: RequestorID
    package let mvpd: MVPDID
    package let userID: String
    package let expires: Timestamp
}

// The document opens a stream; it must not reach a log by interpolation.
extension IssuedMediaToken: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "<media token>" }
    package var debugDescription: String { "<media token>" }
}
