package import Clientless

// The content of the store, for programs that ask at any moment: none of it waits for a server, or behind another call.
extension AccessEnabler {
    package struct KeptSignIn: Hashable, Sendable {
        package let mvpdID: String
        package let expires: Timestamp
        /// Whether its time is over, by the server's clock as far as that is known.
        package let isOver: Bool
        /// Whether the server still lets the requestor use the provider, as far as that is known.
        package let isOffered: Bool
        package let origin: StoreImage.Origin
    }

    /// The sign-in that the store has for a requestor on this device, also before the first configuration.
    /// - Throws: when the store cannot be read; which is not the same as no sign-in.
    package func keptSignIn(for requestorID: String) async throws(EntitlementError) -> KeptSignIn? {
        let branch = try await self.vault.image()[requestor: requestorID]
        guard let id = branch.currentMvpd, let kept = branch.mvpds[id]?.authn,
            kept.deviceScope == self.settings.deviceScope, try await kept.boundDeviceID == self.deviceID().text
        else { return nil }
        let expires = Timestamp(milliseconds: kept.expires)
        let configuration = self.configuration.flatMap { $0.requestor.text == requestorID ? $0 : nil }
        return KeptSignIn(
            mvpdID: id, expires: expires, isOver: expires <= self.serverTime,
            isOffered: configuration.map { $0.provider(id) != nil } ?? true, origin: kept.origin)
    }

    /// The providers of the configuration in force; `nil` without one.
    package var offeredProviders: [MVPD]? { self.configuration?.providers.map(\.mvpd) }

    /// Forgets the code of an earlier login, and tells the server so: a picture of it signs no box in any more.
    package func withdrawKeptCode() async {
        guard let kept = try? await self.vault.image().code, let text = RegistrationCodeText(kept.code) else { return }
        _ = try? await self.vault.update { if $0.code?.code == kept.code { $0.code = nil } }
        let expires = Timestamp(milliseconds: kept.expires)
        let code = RegistrationCode(code: text, loginURL: nil, expires: expires, at: self.serverTime)
        await self.withdraw(code, about: kept.mvpd.flatMap { self.configuration?.provider($0) })
    }

    /// The time by the server's clock, if it has answered; by the box's otherwise.
    var serverTime: Timestamp {
        guard let server = self.settings.environment?.serviceProvider else { return self.settings.clock.now }
        return self.service(server).clock.now
    }
}

extension AccessEnabler {
    /// Reports a code to the application before a login shows it.
    package func tellAgain(_ progress: PairingProgress) { self.settings.pairingProgress?(progress) }
}
