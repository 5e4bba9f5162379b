import Clientless
import Entitlement
import HTTPServer

/// "Is this device signed in?" as both endpoints by device ask it.
struct DevicePoll: Poll {
    let face: RESTv1
    let context: DeviceContext
    let requestor: RequestorID
    /// Whether the token is read (`tokens/authn`, rest-v1 14.3), and not only a status (`checkauthn`, 14.2).
    let readsToken: Bool
    let place: ErrorPlace

    var key: WaitingRoom.Key { .device(self.context.device) }

    func lookInMemory(now: Timestamp) -> DeviceStanding? {
        let signIns = self.face.domain.signIns
        let standing = signIns.deviceStandingInMemory(of: self.context, requestor: self.requestor, now: now)
        // A box stays signed in for the moment that nodes need to hear of one another, though perhaps as another
        // viewer.
        if self.readsToken, case .signedIn = standing, !signIns.trustsMemory { return nil }
        return standing
    }

    func look(now: Timestamp) async throws(EntitlementError) -> DeviceStanding {
        try await self.face.domain.signIns.deviceStanding(of: self.context, requestor: self.requestor, now: now)
    }

    func isPending(_ standing: DeviceStanding) -> Bool { if case .signedIn = standing { false } else { true } }

    func response(to standing: DeviceStanding, now: Timestamp) -> HTTPResponse {
        let answers = self.face.polls
        return switch (self.readsToken, standing) {
        case (false, .signedIn): answers.signedIn(self.place.preference)
        case (false, .never): self.face.refusal(answers.tokenMissing, in: self.place)
        case (false, .expired): self.face.refusal(answers.tokenExpired, in: self.place)
        case (true, .signedIn(let record)):
            Answer.authentication(record, for: self.requestor, self.place.format)
        case (true, .never): self.face.refusal(answers.tokenNotFound, in: self.place)
        case (true, .expired): self.face.refusal(answers.gone, in: self.place)
        }
    }

    func response(to error: EntitlementError) -> HTTPResponse { self.face.response(to: error, in: self.place) }
}
