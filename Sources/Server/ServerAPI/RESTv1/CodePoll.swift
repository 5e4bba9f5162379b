import Clientless
import Entitlement
import HTTPServer

/// "Is this code signed in?" as both endpoints by code ask it.
struct CodePoll: Poll {
    /// What the standing is said as.
    enum Endpoint: Hashable, Sendable {
        /// `checkauthn/{code}`, asked by a page.
        case page
        /// `authenticate/{code}`, asked by the box.
        case device
    }

    let face: RESTv1
    let code: RegistrationCodeText
    let requestor: RequestorID
    let endpoint: Endpoint
    let guesser: Guesser
    let preference: FormatPreference
    /// The request's, for errors that name it.
    let trace: RequestID

    var key: WaitingRoom.Key { .code(self.code) }

    func lookInMemory(now: Timestamp) -> CodeStanding? {
        // A caller who may not guess now is told so by ``look(now:)``.
        (try? self.face.domain.codes.codeStandingInMemory(
            of: self.code, requestor: self.requestor, by: self.guesser, now: now)) ?? nil
    }

    func look(now: Timestamp) async throws(EntitlementError) -> CodeStanding {
        try await self.face.domain.codes.codeStanding(
            of: self.code, requestor: self.requestor, by: self.guesser, now: now)
    }

    func isPending(_ standing: CodeStanding) -> Bool {
        if case .open = standing { true } else { false }
    }

    func response(to standing: CodeStanding, now: Timestamp) -> HTTPResponse {
        switch self.endpoint {
        case .page: self.pageResponse(standing)
        case .device: self.deviceResponse(standing)
        }
    }

    func response(to error: EntitlementError) -> HTTPResponse {
        self.face.pollFailed(error, self.requestor, self.preference, trace: self.trace)
    }

    /// rest-v1 14.1: yes, or no without a reason.
    private func pageResponse(_ standing: CodeStanding) -> HTTPResponse {
        switch standing {
        case .signedIn: self.face.polls.signedIn(self.preference)
        // To a guesser a code that is over and one that never was are the same, also in what they cost.
        case .unknown, .declined, .cancelled, .expired, .open, .signInExpired, .signInGone:
            self.refusal(self.face.polls.forbidden)
        }
    }

    /// rest-v1 13.5, and for the box whose code it is, what the code is.
    private func deviceResponse(_ standing: CodeStanding) -> HTTPResponse {
        let response =
            switch standing {
            case .signedIn(let record):
                Answer.document(.authentication(record, for: self.requestor), self.preference.format)
            case .signInExpired: self.refusal(self.face.polls.gone)
            case .unknown, .open, .signInGone, .declined, .cancelled, .expired:
                self.refusal(self.face.polls.codeNotFound)
            }
        return CodeStateHeaders.added(for: standing, to: response)
    }

    private func refusal(_ error: PreparedError) -> HTTPResponse {
        error[self.preference.format, self.face.styles.style(for: self.requestor, trace: self.trace)]
    }
}
