import AccessEnabler
import CommandLineTool

extension Box {
    /// Signs in with a code that this program asks about.
    func pair(_ wishes: PairWishes) async -> ExitCode {
        await self.perform(isConfigured: true) { () throws(EntitlementError) in
            let show = PairingShow(
                reporter: self.reporter, wishes: wishes, server: self.settings.serverName, phrases: self.phrases)
            return try await show.run { (screen) throws(EntitlementError) in try await self.reach(wishes, screen) }
        }
    }
}
