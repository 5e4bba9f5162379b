import Entitlement
import HTTPServer
import TextCoding

/// What this server tells a box about its own code beyond the status: an extension of `authenticate/{code}`.
///
/// By status alone a box cannot tell "nobody has scanned it yet" from "somebody said no". Deployed clients do not
/// look at these fields.
enum CodeStateHeaders {
    static let state = "Latchkey-Code-State"
    /// Percent-encoded UTF-8: the provider's own sentence.
    static let reason = "Latchkey-Provider-Reason"
    /// The longest reason that is sent, in characters.
    private static let maximumReason = 300

    /// Adds the fields; a foreign or unknown code has none.
    static func added(for standing: CodeStanding, to response: HTTPResponse) -> HTTPResponse {
        switch standing {
        case .unknown: return response
        case .open(let phase, let refusal):
            let stated = response.adding(self.state, phase.rawValue)
            guard let refusal, !refusal.isEmpty else { return stated }
            return stated.adding(self.reason, PercentCoding.encoded(String(refusal.prefix(self.maximumReason))))
        case .signedIn, .signInExpired, .signInGone: return response.adding(self.state, "completed")
        case .declined: return response.adding(self.state, "declined")
        case .cancelled: return response.adding(self.state, "cancelled")
        case .expired: return response.adding(self.state, "expired")
        }
    }
}
