import Clientless
import CommandLineTool
import Cryptography
import Providers

/// The checks of `latchkeyd provider check` at a provider with SAML.
struct SAMLCheck {
    let mvpd: MVPDID
    let client: SAMLClient
    let now: Timestamp

    func run(_ call: CommandCall) async -> ExitCode {
        do throws(AssertionFault) {
            let (lines, isLate) = try await self.look()
            for line in lines { call.say(line) }
            return isLate ? .configuration : .success
        } catch {
            // A file that the operator named is a fault of the configuration.
            var isGarbage = error.isGarbage
            if case .document = self.client.settings.source { isGarbage = false }
            call.say(ProviderCommands.sentence(self.mvpd, error, isGarbage: isGarbage))
            return ProviderCommands.exitCode(isUnreachable: error.isUnreachable, isGarbage: isGarbage)
        }
    }

    /// The findings, a sentence each, and whether clocks are too far apart.
    private func look() async throws(AssertionFault) -> (lines: [String], isLate: Bool) {
        let metadata = try await self.client.metadata()
        let isSigned = self.client.settings.metadataRules.signer != nil
        var lines = ["The metadata of \(metadata.entityID) can be read\(isSigned ? ", and are signed" : "")."]
        if let end = metadata.validUntil {
            lines.append("They count until \(end.timeText), \((end - self.now).components.seconds / 3600) hours.")
        }
        var isLate = false
        if case .address = self.client.settings.source {
            let difference = try await self.client.clockDifference()
            isLate = ProviderCommands.isOff(difference, SAMLClient.leeway)
            lines.append(ProviderCommands.clocks(apart: difference, leeway: SAMLClient.leeway))
        }
        _ = try await self.client.begin(reference: "check")
        let ways = metadata.bindings.map { $0 == .redirect ? "a redirect" : "a form" }
        lines.append("A signed request can be made; it was not sent. It takes \(ways.joined(separator: " or ")).")
        lines.append("Logout: \(metadata.signsViewersOut ? "it takes requests." : "it has no address for that.")")
        return (lines, isLate)
    }
}

/// `latchkeyd provider make-key`
enum ProviderMakeKeyCommand {
    static let command = ServerCommand(
        .nothing, "make-key", "Make a private key for providers with SAML",
        discussion: [
            "Writes an RSA key in PEM to a new file that only you can read, for saml.keys. The server makes its "
                + "certificate for providers from it."
        ],
        operands: [CommandOperand("FILE", "The file to make; it must not be there yet")],
        examples: ["latchkeyd provider make-key /etc/latchkeyd/saml.pem": "once for all providers"],
        also: [.stateProblem]
    ) { arguments, call in
        guard let key = try? RSAPrivateKey.generate().pem()
        else { throw OperatorError("No key could be made.", exitCode: .stateProblem) }
        try PrivateFiles.create(arguments.operands[0], key)
        call.say("The key is in \(terminalSafe(arguments.operands[0], limit: 200)).")
    }
}
