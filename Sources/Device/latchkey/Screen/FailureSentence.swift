import AccessEnabler
import CommandLineTool

extension EntitlementError {
    /// The sentence for a failure, and the exit code that goes with it.
    /// - Parameters:
    ///   - server: its address, as a viewer knows it.
    ///   - clock: what is known of the box's clock, where a certificate did not verify.
    ///   - reason: why there is no sign-in, where that is the failure and known.
    ///   - requestor: the one of this box, which the server may not know.
    ///   - settings: the way to the server, if its address may be the failure.
    ///   - phrases: the language of what a viewer can do something about. The rest is for operators, and English.
    func sentence(
        server: String, clock: ClockDoubt? = nil, reason: BoxEvent.Reason? = nil, requestor: String? = nil,
        settings: Settings? = nil, in phrases: BoxPhrases = .english
    ) -> (text: String, exitCode: ExitCode) {
        let detail = self.detail.map { terminalSafe($0) }
        if let settings,
            let sentence = self.transport?.addressSentence(
                server: server, authority: settings.certificateAuthority, in: phrases)
        {
            return (sentence, .unreachable)
        }
        switch self.code {
        case .unreachable:
            return (phrases.say(.troubleUnreachable, ["server": server]), .unreachable)
        case .untrusted:
            let doubt = clock ?? ClockDoubt(fault: self.certificateFault)
            return (doubt.sentence(server: server, in: phrases), .unreachable)
        case .serverFault:
            let values = ["server": server, "status": String(self.status ?? 500)]
            return (phrases.say(.troubleFault, values), .unreachable)
        case .throttled:
            let seconds = self.retryAfter.map { Int($0.components.seconds) }
            return (
                phrases.say(seconds == nil ? .troubleBusy : .troubleBusyFor, ["server": server], count: seconds),
                .unreachable
            )
        case .malformedAnswer:
            return (phrases.say(.troubleAnswer, ["server": server]), .unreachable)
        case .providerFault:
            return ("The TV provider gives no decision now\(detail.map { ": \($0)" } ?? "").", .unreachable)
        case .credentialsRefused, .unauthorized, .unknownClient, .notRegistered, .noAccessToken:
            let advice =
                self.code == .credentialsRefused && self.status == 403
                ? "The softwareStatement or keyPair may be one of another requestor."
                : "Check softwareStatement or keyPair, and the clock."
            return (
                "\(server) refuses this box's credentials\(detail.map { " (\($0))" } ?? ""). \(advice)",
                .credentialsRefused
            )
        case .refused where requestor != nil && detail?.hasPrefix("Invalid requestor") == true:
            return (
                "\(server) does not know the requestor \(requestor ?? ""). Check the setting requestor of this box: small "
                    + "and capital letters differ.", .failure
            )
        case .refused:
            return ("\(server) refuses the request\(detail.map { ": \($0)" } ?? "").", .failure)
        case .notSignedIn, .sessionExpired, .sessionRevoked, .deviceMismatch:
            let why = reason?.clause.map { ": \($0)" } ?? ""
            return ("Nobody is signed in on this box\(why). 'latchkey pair' signs in.", .notSignedIn)
        case .notAuthorized:
            return (detail ?? "The provider does not allow this.", .notAuthorized)
        case .state:
            return ("\(detail ?? "The state file cannot be used").", .stateProblem)
        case .cancelled:
            return (phrases.say(.stopped), .interrupted)
        default:
            return ("Something unforeseen happened (\(self.code)).", .internalError)
        }
    }
}

extension BoxEvent.Reason {
    /// Why a sign-in is gone, as the rest of a sentence; `nil` if there has been none.
    var clause: String? {
        switch self {
        case .never: nil
        case .signedOut: "a viewer signed out"
        case .replaced: "a newer sign-in on this device replaced it"
        case .signedOutElsewhere: "the viewer signed this box out from another device"
        case .expired: "the last sign-in ran out"
        case .endedByOperator: "an operator of the server ended the sign-in"
        case .refusedByProvider: "the provider ended the sign-in"
        case .deviceChanged: "this box has a new device ID"
        }
    }
}

extension EntitlementError {
    /// The kind of the failure in the words of the machine contract, such as `not_signed_in`.
    var eventCode: String {
        var code = ""
        for character in self.code.description {
            if character.isUppercase { code += "_" }
            code += character.lowercased()
        }
        return code
    }
}
