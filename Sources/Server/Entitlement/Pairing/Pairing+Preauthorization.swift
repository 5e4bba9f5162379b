package import Clientless

extension Pairing {
    /// What a device may play, to show locks; nothing is stored and a later authorization may differ (rest-v1 17).
    /// - Returns: one decision for each of `resources`, in their order. When the provider does not answer all are denied.
    /// - Throws: `notAuthenticated`, `tooManyResources`, `storeUnavailable`.
    package func preauthorize(
        _ resources: [Resource], context: DeviceContext, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Decision] {
        try self.checkCount(of: resources, requestor)
        let authentication = try await self.signedIn(context, requestor, now: now)
        return try await self.preauthorize(resources, authentication, requestor, now: now)
    }

    /// The same for the page that completed `code`.
    /// - Throws: `notAuthenticated` also for a code without a sign-in, `tooManyResources`, `storeUnavailable`.
    package func preauthorize(
        _ resources: [Resource], code: RegistrationCodeText, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Decision] {
        try self.checkCount(of: resources, requestor)
        guard case .signedIn(let authentication) = try await self.standing(of: code, requestor: requestor, now: now)
        else { throw EntitlementError(.notAuthenticated) }
        return try await self.preauthorize(resources, authentication, requestor, now: now)
    }

    private func checkCount(of resources: [Resource], _ requestor: RequestorID) throws(EntitlementError) {
        guard let settings = self.catalogue.requestor(requestor) else { throw EntitlementError(.unknownRequestor) }
        guard resources.count <= settings.preauthorizationLimit else { throw EntitlementError(.tooManyResources) }
    }

    private func preauthorize(
        _ resources: [Resource], _ authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Decision] {
        let degradations = self.degradations
        let effects = resources.map { degradations.effect(on: $0, requestor, authentication.mvpd, at: now) }
        let open = zip(resources, effects).filter { $0.1 == nil }.map(\.0)
        var answers = try await self.provided(open, authentication, requestor, now: now)[...]
        return effects.map { effect in
            switch effect {
            case .refuse(let message): .deny(reason: message)
            case .grant: .permit
            case nil: answers.popFirst() ?? .deny(reason: nil)
            }
        }
    }

    private func provided(
        _ resources: [Resource], _ authentication: AuthNRecord, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [Decision] {
        guard !resources.isEmpty else { return [] }
        // The sign-in of a trial ends with the trial: as long as it is current, the trial is live (rest-v1 20.1).
        if authentication.origin == .temporaryPass { return resources.map { _ in .permit } }
        do {
            return try await self.decisions(on: resources, by: authentication, requestor, now: now)
        } catch {
            guard error.code == .providerUnavailable else { throw error }
            return resources.map { _ in .deny(reason: nil) }
        }
    }
}
