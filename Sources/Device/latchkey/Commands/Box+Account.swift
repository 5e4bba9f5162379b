import AccessEnabler
import Clientless
import CommandLineTool

// The sign-in of the box: who it is, how it ends, what it may choose from.
extension Box {
    func status(isOffline: Bool) async -> ExitCode {
        await self.perform(isConfigured: isOffline) { () throws(EntitlementError) in
            // First: a state file that cannot be read says nothing about who is signed in.
            let device = try await self.enabler.deviceIdentifier()
            var standing = BoxEvent.Standing(
                state: .signedOut, isChecked: !isOffline, server: self.settings.serverName, deviceID: device)
            if isOffline {
                if let kept = try await self.enabler.rememberedSignIn(of: self.settings.requestor) {
                    standing.signIn = BoxEvent.SignIn(mvpd: kept.mvpdID, expires: kept.expires.milliseconds)
                }
            } else if let kept = try await self.enabler.checkedSignIn() {
                standing.signIn = BoxEvent.SignIn(
                    mvpd: kept.mvpd.id, mvpdName: kept.mvpd.displayName, expires: kept.expires.milliseconds)
            }
            if standing.signIn != nil {
                standing.state = .signedIn
            } else {
                standing.reason = await self.reason() ?? .never
                if await self.enabler.keptCode(for: self.settings.requestor) != nil { standing.state = .pairing }
            }
            return self.reporter.tell(.status(standing))
        }
    }

    func providers() async -> ExitCode {
        await self.perform { () throws(EntitlementError) in
            self.reporter.tell(
                .providers(await self.enabler.providers().map { BoxEvent.Provider(id: $0.id, name: $0.displayName) }))
        }
    }

    func logOut() async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            // Without a network the sign-in goes all the same; the server hears of it, and of its page, where it answers.
            var failure: EntitlementError?
            do throws(EntitlementError) {
                try await self.configure()
            } catch {
                failure = error
            }
            let outcome = await self.enabler.signOut()
            guard outcome.areTokensCleared else {
                let unknown = EntitlementError(.state, detail: "The sign-in could not be removed from the state file")
                throw failure.flatMap { $0.code == .state ? $0 : nil } ?? unknown
            }
            self.reporter.event(.signedOut(.signedOut, logoutURL: outcome.providerLogoutURL))
            self.reporter.say(self.phrases.say(.signedOut))
            if let page = outcome.providerLogoutURL {
                self.reporter.say(self.phrases.say(.signedOutPage))
                // Of visible ASCII: the library takes no other address.
                self.reporter.say("  \(terminalSafe(page, limit: 8192))")
            }
            return .success
        }
    }
}
