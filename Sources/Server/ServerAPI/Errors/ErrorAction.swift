/// The client's next action about an error (rest-v1 8.3).
enum ErrorAction: String, Hashable, Sendable, CaseIterable {
    case none
    case configuration
    case applicationRegistration = "application-registration"
    case authentication
    case authorization
    case retry
    case retryAfter = "retry-after"

    /// The same for the reader of the help page.
    var advice: String {
        switch self {
        case .none: "Nothing in the program can change the answer. Tell the viewer."
        case .configuration: "The operator of the service or the programmer has to change a setting."
        case .applicationRegistration: "Get a new access token, or register again, and repeat the call."
        case .authentication: "Let the viewer sign in again."
        case .authorization: "Authorize the resource, and repeat the call."
        case .retry: "Repeat the call later, a few times at most."
        case .retryAfter: "Wait as long as the Retry-After header says, and repeat the call."
        }
    }
}
