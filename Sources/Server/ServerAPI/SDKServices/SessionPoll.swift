import Clientless
import Entitlement
import HTTPServer

/// "Is my code signed in?" as a box asks that wants the token in its answer (sdk-services 3).
struct SessionPoll: Poll {
    enum Mark: Hashable, Sendable {
        /// Not signed in, and why.
        case standing(CodeStanding)
        /// Signed in. The documents are made once, when the store is asked: an answer has to be ready when it is due.
        case signedIn(SessionDocuments)
    }

    let face: SDKServices
    let place: ErrorPlace
    let code: RegistrationCodeText
    let requestor: RequestorID
    let device: DeviceID
    let deviceHash: DeviceHash
    let guesser: Guesser

    var key: WaitingRoom.Key { .code(self.code) }

    func lookInMemory(now: Timestamp) -> Mark? {
        // A caller who may not guess now is told so by ``look(now:)``.
        let known = try? self.face.domain.codes.codeStandingInMemory(
            of: self.code, requestor: self.requestor, device: self.deviceHash, by: self.guesser, now: now)
        switch known {
        case nil, .signedIn: return nil
        case let known?: return .standing(known)
        }
    }

    func look(now: Timestamp) async throws(EntitlementError) -> Mark {
        let standing = try await self.face.domain.codes.codeStanding(
            of: self.code, requestor: self.requestor, device: self.deviceHash, by: self.guesser, now: now)
        guard case .signedIn(let record) = standing else { return .standing(standing) }
        return .signedIn(
            try await self.face.documents(of: record, device: self.device, requestor: self.requestor, now: now))
    }

    func isPending(_ mark: Mark) -> Bool { if case .standing(.open) = mark { true } else { false } }

    func response(to mark: Mark, now: Timestamp) -> HTTPResponse {
        switch mark {
        case .signedIn(let documents): documents.response.adding(CodeStateHeaders.state, "completed")
        case .standing(let standing):
            CodeStateHeaders.added(for: standing, to: SDKAnswer.refusal(Self.refusal(standing)))
        }
    }

    func response(to error: EntitlementError) -> HTTPResponse { self.face.response(to: error, in: self.place) }

    /// Also for a code of another device, which a guesser must not learn of.
    static let unknownCode = SDKRefusal.error(SDKError(.notFound, "No such code"))

    /// The table of sdk-services 3. The member `details` has the fate of a code that is over, in one word.
    private static func refusal(_ standing: CodeStanding) -> SDKRefusal {
        switch standing {
        case .open, .signedIn: .notSignedIn
        case .unknown: Self.unknownCode
        case .expired: Self.over("The code has expired", details: "expired")
        case .declined: Self.over("The viewer declined the box", details: "denied")
        case .cancelled: Self.over("The code was cancelled", details: "cancelled")
        case .signInExpired: Self.over("The sign-in is over", details: "expired")
        case .signInGone: Self.over("The box was signed out", details: "signed out")
        }
    }

    private static func over(_ message: String, details: String) -> SDKRefusal {
        .error(SDKError(.gone, code: "N130", message, details: details))
    }
}

/// The answer to a box for a sign-in: the token it keeps, and what the requestor may know of the viewer (sdk-services
/// 3).
struct SessionDocuments: Hashable, Sendable {
    let authentication: String
    /// JSON (access-enabler 13.3).
    let userMetadata: String

    var response: HTTPResponse { SDKAnswer.result(SDKAnswer.session, self) }
}

extension SDKServices {
    /// The documents of `record` for the device that may have them.
    func documents(
        of record: AuthNRecord, device: DeviceID, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> SessionDocuments {
        SessionDocuments(
            authentication: try self.domain.documents.authenticationDocument(of: record, device: device),
            userMetadata: try await self.userMetadata(of: record, requestor: requestor, now: now))
    }
}
