import Clientless
import Entitlement
import HTTPServer

// `session` and `sessionDevice`: the box picks up its AuthN document (sdk-services 3).
extension SDKServices {
    func addSessionRoutes(to router: inout Router) {
        self.on("session", "sessionDevice", router: &router) { request in
            let call = Call(request, now: self.now())
            guard let code = call.parameters["reg_code"], !code.isEmpty
            else { return self.device(request) { try await self.currentSession($0) } }
            return self.pickUp(call, code)
        }
    }

    /// Without a code: the token this device has for the requestor and the provider.
    private func currentSession(_ call: SDKCall) async throws -> HTTPResponse {
        // Whoever names neither code nor provider is told of the one nearly every caller means.
        guard call.call.parameters["mso_id"]?.isEmpty == false else { throw SDKRefusal.missing("reg_code") }
        let record = try await self.domain.signIns.currentSignIn(
            call.context(self.domain), requestor: call.requestor, mvpd: call.mvpd(), now: call.now)
        guard let record else { throw SDKRefusal.notSignedIn }
        return try await self.documents(
            of: record, device: call.device, requestor: call.requestor, now: call.now
        ).response
    }

    private func pickUp(_ call: Call, _ text: String) -> HTTPReply {
        PollReplies(room: self.domain.waitingRoom, clock: self.now).reply(
            to: call, self.authenticator,
            refusal: { SDKAnswer.refusal(SDKRefusal($0)) },
            question: { caller throws(PollRefusal) in
                do throws(SDKRefusal) {
                    return try self.question(SDKCall(call, caller, self.domain), text)
                } catch {
                    throw PollRefusal(SDKAnswer.refusal(error))
                }
            })
    }

    private func question(_ call: SDKCall, _ text: String) throws(SDKRefusal) -> SessionPoll {
        guard let code = RegistrationCodeText(text) else { throw SessionPoll.unknownCode }
        return SessionPoll(
            face: self, request: call.call.request.id, code: code, requestor: call.requestor, device: call.device,
            deviceHash: self.domain.keys.deviceHash(call.device))
    }
}
