import Clientless
import Entitlement
import HTTPServer
import TextCoding

/// What this server tells a box about its own code beyond the status: an extension of `authenticate/{code}`.
///
/// By status alone a box cannot tell a code that waits for its viewer from one that the viewer declined. Deployed
/// clients do not look at these fields.
enum CodeStateHeaders {
    static let state = "Latchkey-Code-State"
    /// Percent-encoded UTF-8: the provider's own sentence.
    static let reason = "Latchkey-Provider-Reason"
    /// The longest reason that is sent, in bytes of UTF-8.
    private static let maximumReason = 1024

    /// Adds the fields; to a foreign or unknown code it adds nothing.
    static func added(for standing: CodeStanding, to response: HTTPResponse) -> HTTPResponse {
        switch standing {
        case .unknown: return response
        case .open(let phase, let refusal):
            let stated = response.adding(self.state, phase.rawValue)
            guard let refusal, !refusal.isEmpty else { return stated }
            return stated.adding(self.reason, PercentCoding.encoded(refusal.prefix(bytes: self.maximumReason)))
        case .signedIn, .signInExpired, .signInGone: return response.adding(self.state, "completed")
        case .declined: return response.adding(self.state, "declined")
        case .cancelled: return response.adding(self.state, "cancelled")
        case .expired: return response.adding(self.state, "expired")
        }
    }
}
