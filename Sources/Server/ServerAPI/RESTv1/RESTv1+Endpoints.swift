import Clientless
import Entitlement
import HTTPServer
import Observability

// How endpoints are put together.
extension RESTv1 {
    /// What a device-class endpoint works with, once the caller is known.
    struct DeviceCall: Sendable {
        let call: Call
        let caller: Caller

        /// The requestor the call is for.
        func requestor() throws(WireError) -> RequestorID {
            guard let requestor = self.caller.requestor else { throw .missing("requestor") }
            return requestor
        }
    }

    /// An endpoint without authentication that needs the store.
    func open(
        _ request: HTTPRequest, _ family: EndpointFamily,
        _ answer: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        return .later { await self.answered(call, family, for: nil) { try await answer(call) } }
    }

    /// An endpoint of the device class that needs the store anyway.
    func device(
        _ request: HTTPRequest, for claim: (Call) -> RequestorClaim = { .parameter($0.requestorName) },
        _ family: EndpointFamily,
        _ answer: @escaping @Sendable (DeviceCall) async throws -> HTTPResponse
    ) -> HTTPReply {
        let call = Call(request, now: self.now())
        let claim = claim(call)
        switch self.authenticator.authenticate(request, call.parameters, for: claim, now: call.now) {
        case .refused(let error): return .now(self.answer(error, call, family, for: self.presumed(call, claim)))
        case .caller(let caller): return .later { await self.answered(call, family, for: caller, answer) }
        case .undecided(let undecided):
            let presumed = self.presumed(call, claim)
            return .later {
                switch await self.authenticator.settle(undecided) {
                case .failure(let error): self.answer(error, call, family, for: presumed)
                case .success(let caller): await self.answered(call, family, for: caller, answer)
                }
            }
        }
    }

    private func answered(
        _ call: Call, _ family: EndpointFamily, for caller: Caller,
        _ answer: (DeviceCall) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        await self.answered(call, family, for: caller.requestor) {
            try await answer(DeviceCall(call: call, caller: caller))
        }
    }

    /// The answer, or the error it threw in the words of its family.
    /// - Parameter requestor: whose choice of error style counts.
    func answered(
        _ call: Call, _ family: EndpointFamily, for requestor: RequestorID?,
        _ answer: () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await answer()
        } catch {
            return self.answer(self.wireError(error, call, family), call, family, for: requestor)
        }
    }

    /// An error on the wire.
    func answer(
        _ error: WireError, _ call: Call, _ family: EndpointFamily, for requestor: RequestorID?
    ) -> HTTPResponse {
        Answer.error(
            error.worded(for: family), call.format, self.styles.style(for: requestor, trace: call.request.id))
    }

    /// The wire's words for whatever was thrown; what is the server's own fault is logged.
    func wireError(_ error: any Error, _ call: Call, _ family: EndpointFamily) -> WireError {
        if let error = error as? WireError { return error }
        let error = error as? EntitlementError ?? EntitlementError(.internal, detail: "\(error)")
        let wire = WireError(error, at: family)
        if wire.status.code >= 500 {
            self.logger.error(
                "a request failed",
                [
                    .requestID: .text(call.request.id.description), .error: .text(error.code.description),
                    .detail: .text(error.detail ?? ""),
                ])
        }
        return wire
    }

    /// The requestor a call seems to be for, to word a refusal before it is known.
    func presumed(_ call: Call, _ claim: RequestorClaim) -> RequestorID? {
        var name: String?
        if case .named(let given) = claim { name = given }
        return self.authenticator.presumedRequestor(of: call.request, named: name)
    }

    /// The address of whoever calls without a credential, as limits count it.
    func address(of request: HTTPRequest) -> IPAddress {
        self.settings.address(of: request)
    }

    /// The address of the device a call is for (rest-v1 28.2).
    func address(of request: HTTPRequest, _ caller: Caller) -> IPAddress {
        self.settings.address(of: request, isFromServer: caller.isServer)
    }
}
