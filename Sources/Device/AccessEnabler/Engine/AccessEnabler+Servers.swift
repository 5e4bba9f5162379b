import Clientless

/// Calls one server for a requestor. A value, so that work that lasts need not keep the library alive.
struct ServerCall: Sendable {
    let service: ServiceAccess
    let requestor: RequestorID
    let deviceID: DeviceID
    let options: CallOptions
    let information: String
    let mailbox: Mailbox

    /// Calls the server, and once more after a renewal it asks for: a new access token or a corrected clock for 401, a
    /// new registration for a client it does not know (access-enabler D-50).
    func callAsFunction<Result: Sendable>(
        _ operation: @Sendable (ServiceBackend, BackendCaller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        let backend = self.service.backend
        let offset = backend.clockOffset
        var (caller, serial) = try await self.caller()
        do {
            return try await operation(backend, caller)
        } catch {
            guard try await self.service.renew(serial, after: error, clockOffsetBefore: offset) else {
                throw error.whenFinal
            }
        }
        (caller, serial) = try await self.caller()
        do {
            return try await operation(backend, caller)
        } catch {
            throw error.whenFinal
        }
    }

    /// The proof is made in a task of its own: others wait for the same token, and a caller that is cancelled must not
    /// take it away from them, nor wait for theirs.
    private func caller() async throws(EntitlementError) -> (caller: BackendCaller, serial: Int) {
        let (service, unproved) = (self.service, self.caller(.none))
        let (proof, serial) = try await self.mailbox.apart { () async throws(EntitlementError) in
            try await service.proof(for: unproved)
        }
        // Made anew: a token may have taken a while, and options that were set meanwhile count.
        return (self.caller(proof), serial)
    }

    private func caller(_ proof: BackendCaller.Proof) -> BackendCaller {
        BackendCaller(
            proof: proof, requestor: self.requestor, deviceID: self.deviceID,
            deviceInformation: self.options.deviceInfo ?? self.information, options: self.options.parameters)
    }
}

extension AccessEnabler {
    /// Calls the server that `facts` are bound to; the first responder without a provider (access-enabler 6.4).
    func call<Result: Sendable>(
        about facts: ProviderFacts?,
        _ operation: @Sendable (ServiceBackend, BackendCaller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        guard let configuration = self.configuration else { throw EntitlementError(.notConfigured) }
        return try await self.call(about: facts, configuration, operation)
    }

    func call<Result: Sendable>(
        about facts: ProviderFacts?, _ configuration: RequestorConfiguration,
        _ operation: @Sendable (ServiceBackend, BackendCaller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        try await self.server(about: facts, configuration)(operation)
    }

    func server(
        about facts: ProviderFacts?, _ configuration: RequestorConfiguration
    ) async throws(EntitlementError) -> ServerCall {
        try await self.server(
            self.service(facts?.server ?? configuration.firstResponder), for: configuration.requestor)
    }

    func server(
        _ service: ServiceAccess, for requestor: RequestorID
    ) async throws(EntitlementError) -> ServerCall {
        ServerCall(
            service: service, requestor: requestor, deviceID: try await self.deviceIDUnlessCancelled(),
            options: self.options, information: self.deviceInformation, mailbox: self.mailbox)
    }

    /// The device ID may have to be read from the store, which a caller that is cancelled does not wait for.
    private func deviceIDUnlessCancelled() async throws(EntitlementError) -> DeviceID {
        try await self.mailbox.apart { () async throws(EntitlementError) in try await self.deviceID() }
    }

    /// The time that tokens are judged by: the server's, as far as an answer of this run told it, else the box's
    /// (access-enabler D-59).
    func now(_ configuration: RequestorConfiguration) -> Timestamp {
        self.settings.clock.now + self.service(configuration.firstResponder).backend.clockOffset
    }
}

extension EntitlementError {
    /// The error for a refused proof once renewing it is no longer an option.
    fileprivate var whenFinal: EntitlementError {
        switch self.code {
        case .unauthorized: EntitlementError(.noAccessToken, status: self.status, detail: self.detail)
        case .unknownClient: EntitlementError(.notRegistered, status: self.status, detail: self.detail)
        default: self
        }
    }
}
