import Clientless
import Cryptography

extension AccessEnabler {
    /// Calls the server that `facts` are bound to; the first responder without a provider (access-enabler 6.4).
    func call<Result: Sendable>(
        about facts: ProviderFacts?,
        _ operation: @Sendable (any EntitlementBackend, Caller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        guard let configuration = self.configuration else { throw EntitlementError(.notConfigured) }
        return try await self.call(
            self.service(facts?.server ?? configuration.firstResponder), for: configuration.requestor, operation)
    }

    /// Calls a server, and once more after a renewal it asks for: a new access token or a corrected clock for 401, a
    /// new registration for a client it does not know (access-enabler D-50).
    func call<Result: Sendable>(
        _ service: ServiceAccess, for requestor: RequestorID,
        _ operation: @Sendable (any EntitlementBackend, Caller) async throws(EntitlementError) -> Result
    ) async throws(EntitlementError) -> Result {
        let backend = service.backend
        let offset = backend.clockOffset
        var (caller, serial) = try await self.caller(service, requestor)
        do {
            return try await operation(backend, caller)
        } catch {
            guard try await service.renew(serial, after: error, clockOffsetBefore: offset) else {
                throw error.whenFinal
            }
        }
        (caller, serial) = try await self.caller(service, requestor)
        do {
            return try await operation(backend, caller)
        } catch {
            throw error.whenFinal
        }
    }

    private func caller(
        _ service: ServiceAccess, _ requestor: RequestorID
    ) async throws(EntitlementError) -> (caller: Caller, serial: Int) {
        let deviceID = try await self.deviceID()
        let (proof, serial) = try await service.proof(for: self.caller(.none, requestor, deviceID))
        // Made anew: a token may have taken a while, and options that were set meanwhile count.
        return (self.caller(proof, requestor, deviceID), serial)
    }

    private func caller(_ proof: Caller.Proof, _ requestor: RequestorID, _ deviceID: DeviceID) -> Caller {
        Caller(
            proof: proof, requestor: requestor, deviceID: deviceID,
            deviceInformation: self.options.deviceInfo ?? self.deviceInformation,
            options: self.options.parameters)
    }
}

extension EntitlementError {
    /// What a refused proof means once renewing it is no longer an option.
    fileprivate var whenFinal: EntitlementError {
        switch self.code {
        case .unauthorized: EntitlementError(.noAccessToken, status: self.status, detail: self.detail)
        case .unknownClient: EntitlementError(.notRegistered, status: self.status, detail: self.detail)
        default: self
        }
    }
}
