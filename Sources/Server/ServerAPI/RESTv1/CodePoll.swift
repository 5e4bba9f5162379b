import Clientless
import Entitlement
import HTTPServer

/// "Is this code signed in?" as both endpoints by code ask it.
struct CodePoll: Poll {
    let face: RESTv1
    let code: RegistrationCodeText
    let requestor: RequestorID
    /// Whether a page asks, by `checkauthn/{code}`, and not a box, by `authenticate/{code}`.
    let isOfPage: Bool
    /// Made of the device ID that a box gives. Only the box that the code is bound to learns more than the sign-in: every
    /// box has the credential, and a guesser with one would see which codes there are.
    var device: DeviceHash?
    let guesser: Guesser
    let place: ErrorPlace

    var key: WaitingRoom.Key { .code(self.code) }

    func lookInMemory(now: Timestamp) -> CodeStanding? {
        // A caller who may not guess now is told so by ``look(now:)``.
        let standing = try? self.face.domain.codes.codeStandingInMemory(
            of: self.code, requestor: self.requestor, device: self.device, by: self.guesser, now: now)
        // As for the poll by device that reads a token.
        if !self.isOfPage, case .signedIn = standing, !self.face.domain.signIns.trustsMemory { return nil }
        return standing
    }

    func look(now: Timestamp) async throws(EntitlementError) -> CodeStanding {
        try await self.face.domain.codes.codeStanding(
            of: self.code, requestor: self.requestor, device: self.device, by: self.guesser, now: now)
    }

    /// A box that does not say whose code it asks for is answered at once, as for a code that there is not.
    func isPending(_ standing: CodeStanding) -> Bool {
        guard case .open = standing else { return false }
        return self.isOfPage || self.device != nil
    }

    func response(to standing: CodeStanding, now: Timestamp) -> HTTPResponse {
        self.isOfPage ? self.pageResponse(standing) : self.boxResponse(standing)
    }

    func response(to error: EntitlementError) -> HTTPResponse { self.face.response(to: error, in: self.place) }

    /// rest-v1 14.1: yes, or no without a reason.
    private func pageResponse(_ standing: CodeStanding) -> HTTPResponse {
        switch standing {
        case .signedIn: self.face.polls.signedIn(self.place.preference)
        // A guesser cannot tell a code that is over from one that never was, nor by their cost.
        case .unknown, .declined, .cancelled, .expired, .open, .signInExpired, .signInGone:
            self.face.refusal(self.face.polls.forbidden, in: self.place)
        }
    }

    /// rest-v1 13.5, and for the box whose code it is, what the code is.
    private func boxResponse(_ standing: CodeStanding) -> HTTPResponse {
        let response =
            switch standing {
            case .signedIn(let record):
                Answer.authentication(record, for: self.requestor, self.place.format)
            case .signInExpired: self.face.refusal(self.face.polls.gone, in: self.place)
            case .unknown, .open, .signInGone, .declined, .cancelled, .expired:
                self.face.refusal(self.face.polls.codeNotFound, in: self.place)
            }
        // With the ID of another device the code would be unknown.
        return self.device != nil ? CodeStateHeaders.added(for: standing, to: response) : response
    }
}
