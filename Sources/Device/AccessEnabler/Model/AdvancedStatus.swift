/// A detailed report beside the callbacks (access-enabler 4.4 and 16).
public struct AdvancedStatus: Sendable, Hashable {
    /// How serious a report is (access-enabler 16).
    public enum Level: String, Sendable {
        /// Good to know.
        case info
        /// It works, but the operator of the box should look.
        case warning
        /// It does not work.
        case error
        /// It worked.
        case success
    }

    /// A code of access-enabler 16, such as `REGCODE` or `N130`, as it stands in ``dictionary``; see ``code``.
    public let errorID: String
    /// How serious it is.
    public let level: Level
    /// A sentence, or the registration code of `REGCODE`.
    public let message: String?
    /// Further pairs, such as `resource` or `loginURL`.
    public let further: [String: String]

    /// A report, such as a test shows.
    public init(_ errorID: String, _ level: Level, message: String? = nil, further: [String: String] = [:]) {
        self.errorID = errorID
        self.level = level
        self.message = message
        self.further = further
    }

    /// The same as ``errorID``, to be compared with the constants of ``Code``.
    public var code: Code { Code(self.errorID) }

    /// The form the `status` callback receives.
    public var dictionary: [String: String] {
        var dictionary = self.further
        dictionary["errorId"] = self.errorID
        dictionary["level"] = self.level.rawValue
        dictionary["message"] = self.message
        return dictionary
    }
}
