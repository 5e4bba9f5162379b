package import Entitlement

/// The stored state of a code as a number and what belongs to it.
package struct StateColumns {
    package let number: Int64
    /// The refusal of a waiting code, or the AuthN record of a completed one.
    package let detail: String?

    package init(_ state: RegistrationCode.State) {
        (self.number, self.detail) =
            switch state {
            case .waiting(let refusal): (0, refusal)
            case .loggingIn: (1, nil)
            case .confirming: (2, nil)
            case .completed(let authentication): (3, authentication.text)
            case .declined: (4, nil)
            case .cancelled: (5, nil)
            case .expired: (6, nil)
            case .opened: (7, nil)
            }
    }

    /// - Returns: `nil` if no store wrote it.
    static func state(number: Int64, detail: String?) -> RegistrationCode.State? {
        switch (number, detail) {
        case (0, _): return .waiting(refusal: detail)
        case (1, _): return .loggingIn
        case (2, _): return .confirming
        case (3, let authentication?): return .completed(AuthNID(text: authentication))
        case (4, _): return .declined
        case (5, _): return .cancelled
        case (6, _): return .expired
        case (7, _): return .opened
        default: return nil
        }
    }
}
