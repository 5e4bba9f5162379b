package import Clientless

extension SignIns {
    /// Signs the device out for `requestors`, and for every other that shares their sign-ins; what a sign-in of other
    /// requestors alone is stays, and so do open codes and trials (rest-v1 18). Idempotent.
    ///
    /// Providers are told last, all at once, where they take it from this server; the answer has no room for the address
    /// of a provider that signs out in a browser only. Their failure changes nothing: the device is signed out.
    /// - Throws: `storeUnavailable`.
    package func logout(
        _ context: DeviceContext, requestors: Set<RequestorID>, now: Timestamp
    ) async throws(EntitlementError) {
        var gone: [AuthNRecord] = []
        for record in try await self.storedAuthentications(of: context.device) {
            guard context.admits(record.context), self.isUsed(record, by: requestors, now: now) else { continue }
            if try await stored(await self.store.deleteAuthentication(record.id, audit: nil)) != nil {
                gone.append(record)
            }
        }
        guard !gone.isEmpty else { return }
        self.memory.announce(device: context.device)
        await withTaskGroup(of: Void.self) { group in
            for record in gone { group.addTask { _ = await self.endAtProvider(record, now: now) } }
        }
    }

    private func isUsed(_ record: AuthNRecord, by requestors: Set<RequestorID>, now: Timestamp) -> Bool {
        // Its own counts as well while its provider is switched off.
        if requestors.contains(record.requestor) { return true }
        return requestors.contains { self.recordStanding(of: record, requestor: $0, now: now) != .never }
    }

    /// Ends one sign-in, with its decisions, and the viewer's session at the provider where it has a way to
    /// (sdk-services 6). Idempotent.
    ///
    /// The provider is told last, and its failure changes nothing: the device is signed out.
    /// - Parameter audit: kept where the sign-in was still there.
    /// - Throws: `storeUnavailable`.
    package func logout(
        _ record: AuthNRecord, audit: AuditEntry? = nil, now: Timestamp
    ) async throws(EntitlementError) -> LogoutOutcome {
        guard try await stored(await self.store.deleteAuthentication(record.id, audit: audit)) != nil
        else { return .done }
        self.memory.announce(device: record.context.device)
        return await self.endAtProvider(record, now: now)
    }

    /// Ends the viewer's session at the provider of a sign-in that is gone, where the sign-in was the last to rest on it
    /// and the provider has a way to. The session behind a sign-in by platform is the platform's (access-enabler 9.8).
    private func endAtProvider(_ record: AuthNRecord, now: Timestamp) async -> LogoutOutcome {
        guard record.origin == .regular, let session = try? self.keptSession(of: record).session,
            // A store that does not answer knows of others.
            (try? await self.isShared(record, now: now)) == false
        else { return .done }
        let answer = try? await self.providers.ask(record.mvpd) { provider throws(ProviderError) in
            try await provider.endSession(session)
        }
        switch answer {
        case .userAgent(let url): return .userAgent(url: url)
        case .done, nil: return .done
        }
    }

    /// Whether another current sign-in rests on the provider's session of `record`, which is gone: one of any device,
    /// by the session's name; where it has none, one of the same viewer on the same device.
    private func isShared(_ record: AuthNRecord, now: Timestamp) async throws(EntitlementError) -> Bool {
        if let name = record.providerSession {
            var selection = AuthNSelection()
            selection.mvpd = record.mvpd
            selection.providerSession = name
            selection.endingAfter = now
            if try await !stored(await self.store.authentications(selection, after: nil, limit: 1)).isEmpty {
                return true
            }
        }
        return try await self.storedAuthentications(of: record.context.device).contains {
            ($0.providerSession == nil || record.providerSession == nil) && $0.isCurrent(at: now)
                && $0.mvpd == record.mvpd && $0.userID == record.userID
        }
    }
}

/// What is left to do once the server has forgotten a sign-in (sdk-services 6).
package enum LogoutOutcome: Hashable, Sendable {
    case done
    /// The provider signs its viewers out in a browser only; the device may open this address.
    case userAgent(url: String)
}
