import Clientless

extension AccessEnabler {
    /// The server that `facts` are bound to; the first responder without a provider (access-enabler 6.4).
    func server(
        about facts: ProviderFacts?, _ configuration: RequestorConfiguration? = nil
    ) async throws(EntitlementError) -> ServerCall {
        guard let configuration = configuration ?? self.configuration else { throw EntitlementError(.notConfigured) }
        return try await self.server(
            self.service(facts?.server ?? configuration.firstResponder), for: configuration.requestor)
    }

    func server(_ service: ServiceAccess, for requestor: RequestorID) async throws(EntitlementError) -> ServerCall {
        // It may have to be read from the store, which a caller that is cancelled does not wait for.
        let id = try await self.mailbox.apart { () async throws(EntitlementError) in try await self.deviceID() }
        return ServerCall(
            service: service, requestor: requestor, deviceID: id, options: self.options,
            information: self.deviceInformation, mailbox: self.mailbox)
    }

    /// The time that tokens are judged by: the server's, as far as an answer of this run told it, else the box's
    /// (access-enabler D-59).
    func now(_ configuration: RequestorConfiguration) -> Timestamp {
        self.service(configuration.firstResponder).clock.now
    }
}
