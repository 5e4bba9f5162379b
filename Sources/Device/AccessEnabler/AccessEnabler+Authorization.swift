import Clientless

extension AccessEnabler {
    /// A media token for `resource`: the provider is asked anew each time, since a decision is nobody's to keep
    /// (rest-v1 28.1).
    /// - Throws: `notAuthorized` with the provider's words, `notSignedIn`, or what went wrong on the way.
    package func mediaToken(for resource: String) async throws(EntitlementError) -> MediaToken {
        guard let resource = Resource(resource) else { throw EntitlementError(.refused, detail: "no resource") }
        try await self.decide(resource)
        do {
            return try await self.requestMediaToken(resource)
        } catch {
            guard error.code == .notAuthorized else { throw error }
        }
        // The decision was withdrawn, or ran out, between the two calls: once more, and no more than once.
        try await self.decide(resource)
        return try await self.requestMediaToken(resource)
    }

    private func decide(_ resource: Resource) async throws(EntitlementError) {
        do {
            try await self.call { (caller) throws(EntitlementError) in
                try await self.backend.authorize(resource, as: caller)
            }
        } catch {
            guard error.code == .notAuthorized else { throw error }
            // The same status says "nobody is signed in"; only the words differ, and words are not for programs.
            let isSignedIn = try await self.call { (caller) throws(EntitlementError) in
                try await self.backend.isSignedIn(as: caller)
            }
            throw isSignedIn ? error : EntitlementError(.notSignedIn, status: error.status)
        }
    }

    private func requestMediaToken(_ resource: Resource) async throws(EntitlementError) -> MediaToken {
        try await self.call { (caller) throws(EntitlementError) in
            try await self.backend.mediaToken(resource, as: caller)
        }
    }

    /// Signs the device out, everywhere it shares its sign-in; a live code is withdrawn.
    package func endSession() async throws(EntitlementError) {
        let base = self.configuration.environment.base
        try await self.call { (caller) throws(EntitlementError) in try await self.backend.logout(as: caller) }
        let code = try await self.store.read()[server: base].code
        try await self.store.update { state in
            state[server: base].signIn = nil
            state[server: base].code = nil
        }
        guard let code else { return }
        // Best effort: a code nobody waits for ends by itself.
        try? await self.call { (caller) throws(EntitlementError) in
            try await self.backend.deleteRegistrationCode(code.code, as: caller)
        }
    }
}
