import Clientless
import Entitlement
import HTTPServer

/// "Is this device signed in?" as both endpoints by device ask it.
struct DevicePoll: Poll {
    enum Endpoint: Hashable, Sendable {
        /// `checkauthn`: a status (rest-v1 14.2).
        case check
        /// `tokens/authn`: the token (rest-v1 14.3).
        case token
    }

    let face: RESTv1
    let context: DeviceContext
    let requestor: RequestorID
    let endpoint: Endpoint
    let place: ErrorPlace

    var key: WaitingRoom.Key { .device(self.context.device) }

    func lookInMemory(now: Timestamp) -> DeviceStanding? {
        let signIns = self.face.domain.signIns
        let standing = signIns.deviceStandingInMemory(of: self.context, requestor: self.requestor, now: now)
        // A box stays signed in for the moment that nodes need to hear of one another, though perhaps as another
        // viewer.
        if self.endpoint == .token, case .signedIn = standing, !signIns.trustsMemory { return nil }
        return standing
    }

    func look(now: Timestamp) async throws(EntitlementError) -> DeviceStanding {
        try await self.face.domain.signIns.deviceStanding(of: self.context, requestor: self.requestor, now: now)
    }

    func isPending(_ standing: DeviceStanding) -> Bool {
        if case .signedIn = standing { false } else { true }
    }

    func response(to standing: DeviceStanding, now: Timestamp) -> HTTPResponse {
        let answers = self.face.polls
        return switch (self.endpoint, standing) {
        case (.check, .signedIn): answers.signedIn(self.place.preference)
        case (.check, .never): self.face.refusal(answers.tokenMissing, in: self.place)
        case (.check, .expired): self.face.refusal(answers.tokenExpired, in: self.place)
        case (.token, .signedIn(let record)):
            Answer.authentication(record, for: self.requestor, self.place.format)
        case (.token, .never): self.face.refusal(answers.tokenNotFound, in: self.place)
        case (.token, .expired): self.face.refusal(answers.gone, in: self.place)
        }
    }

    func response(to error: EntitlementError) -> HTTPResponse {
        self.face.response(to: error, in: self.place)
    }
}
