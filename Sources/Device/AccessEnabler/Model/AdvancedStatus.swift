/// A detailed report beside the callbacks (access-enabler 4.4 and 16).
public struct AdvancedStatus: Sendable, Hashable {
    public enum Level: String, Sendable {
        case info, warning, error, success
    }

    /// A code of access-enabler 16, such as `REGCODE` or `N130`.
    public let errorID: String
    public let level: Level
    public let message: String?
    /// Further pairs, such as `resource` or `loginURL`.
    public let further: [String: String]

    public init(_ errorID: String, _ level: Level, message: String? = nil, further: [String: String] = [:]) {
        self.errorID = errorID
        self.level = level
        self.message = message
        self.further = further
    }

    /// The form the `status` callback receives.
    public var dictionary: [String: String] {
        var dictionary = self.further
        dictionary["errorId"] = self.errorID
        dictionary["level"] = self.level.rawValue
        dictionary["message"] = self.message
        return dictionary
    }
}
