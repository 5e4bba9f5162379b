/// What is left to do once the server has forgotten a sign-in (sdk-services 6).
package enum LogoutOutcome: Hashable, Sendable {
    case done
    /// The provider signs its viewers out in a browser only; the device may open this address.
    case userAgent(url: String)
}
