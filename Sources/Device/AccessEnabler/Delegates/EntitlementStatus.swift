/// What an application hears of advanced status and error reports (access-enabler 8.14, 16), and of the registration
/// code.
public protocol EntitlementStatus: AnyObject, Sendable {
    /// A report; see ``AdvancedStatus``.
    /// - Parameter statusDictionary: `errorId` and `level` always; `message`, `resource`, `details` and further
    ///   pairs where there are any.
    func status(_ statusDictionary: [String: String])
}
