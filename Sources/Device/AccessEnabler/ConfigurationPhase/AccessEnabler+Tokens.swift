import Clientless
import Observability

// Importer, Sanitizer and adoption, in this order (access-enabler 6.2, 6.6, 11, D-30).
extension AccessEnabler {
    func bringTokensUpToDate(_ configuration: RequestorConfiguration) async {
        do throws(EntitlementError) {
            let judge = TokenJudge(
                configuration: configuration, deviceID: try await self.deviceID().text,
                deviceScope: self.settings.deviceScope, now: self.now(configuration))
            let image = try await self.vault.image()
            if let known = self.generation, known != image.generation { self.forgetWhatWasRead() }
            self.generation = image.generation
            if !judge.hasValidAuthentication(image) { try await self.importTokens(judge) }
            let removed = try await self.vault.update { image in judge.sanitize(&image) }
            if removed {
                self.logger.warning("the sign-ins of another device were removed from the store")
                self.report(AdvancedStatus("SEC412", .warning))
            }
            try await self.vault.update { image in judge.adopt(&image) }
        } catch {
            // The phase succeeds all the same: the next login sets things right.
            self.logger.error("[AccessEnabler] tokens could not be brought up to date", [.error: .text("\(error)")])
        }
    }

    private func importTokens(_ judge: TokenJudge) async throws(EntitlementError) {
        let former = self.settings.formerStore.map { [$0] } ?? []
        for store in self.settings.legacyStores + former {
            guard let bytes = try? await store.content().bytes,
                let older = StoreImage(reading: bytes, scope: self.settings.deviceScope),
                judge.hasValidAuthentication(older)
            else { continue }
            try await self.vault.update { image in judge.take(from: older, into: &image) }
            return
        }
    }

    func forgetWhatWasRead() {
        self.readToken = nil
        self.preauthorizations.clear()
    }
}
