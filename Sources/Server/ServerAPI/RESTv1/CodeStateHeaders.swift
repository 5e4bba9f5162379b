import Clientless
import Entitlement
import HTTPServer
import TextCoding

/// The server's word to a box about its own code beyond the status: an extension of `authenticate/{code}`.
///
/// By status alone a box cannot tell a code that waits for its viewer from one that the viewer declined. Deployed
/// clients do not look at these fields.
enum CodeStateHeaders {
    static let state = "Latchkey-Code-State"
    /// Percent-encoded UTF-8: the provider's own sentence, or `wrong_credentials`.
    static let reason = "Latchkey-Provider-Reason"
    /// Whether a viewer entered the code. A field apart: boxes made before it know the states of today alone.
    static let opened = "Latchkey-Code-Opened"
    /// The longest reason that is sent, in bytes of UTF-8.
    private static let maximumReason = 1024

    private static func stated(_ phase: CodePhase, hasRefusal: Bool, _ response: HTTPResponse) -> HTTPResponse {
        switch phase {
        case .waiting where !hasRefusal: response.adding(self.state, CodePhase.waiting.rawValue)
        case .waiting, .opened: response.adding(self.state, CodePhase.waiting.rawValue).adding(self.opened, "true")
        case .loggingIn, .confirming: response.adding(self.state, phase.rawValue).adding(self.opened, "true")
        }
    }

    /// Adds the fields; to a foreign or unknown code it adds nothing.
    static func added(for standing: CodeStanding, to response: HTTPResponse) -> HTTPResponse {
        switch standing {
        case .unknown: return response
        case .open(let phase, let refusal):
            let stated = self.stated(phase, hasRefusal: refusal != nil, response)
            guard let refusal, !refusal.isEmpty else { return stated }
            return stated.adding(self.reason, PercentCoding.encoded(refusal.prefix(bytes: self.maximumReason)))
        case .signedIn, .signInExpired, .signInGone: return response.adding(self.state, "completed")
        case .declined: return response.adding(self.state, "declined")
        case .cancelled: return response.adding(self.state, "cancelled")
        case .expired: return response.adding(self.state, "expired")
        }
    }
}
