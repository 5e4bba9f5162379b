import JSON5
import Clientless
package import CommandLineTool
import Cryptography
import Entitlement

/// `latchkeyd keys rotate-seal`
package enum RotateSealCommand: ServerCommand {
    package static let command = Command.ofStore(
        "rotate-seal", "Make a new sealing key, and seal with it anew what the store keeps sealed",
        discussion: [
            "The sealing key protects private keys of callers and sessions at TV providers. Servers can run "
                + "meanwhile. They read the new key within seconds, and the command waits "
                + "\(DurationText.write(KeyFolder.sealingLead + Self.margin)) for them before it seals. Old keys "
                + "still open what they sealed. The command says when you can remove their files.",
            "If each machine has its own key folder, make the key with --key-only, copy its file to all machines, "
                + "and continue with --seal-only.",
        ],
        options: [
            .flag("key-only", "Make the key, and seal nothing yet"),
            .flag("seal-only", "Make no key; seal anew with the newest there is"),
        ],
        examples: [CommandExample("latchkeyd keys rotate-seal", "once a year, or when a key may have leaked")],
        also: [.failure])

    /// How much longer than a server waits the command waits: servers look every two seconds.
    private static let margin: Duration = .seconds(5)
    /// After so many passes something else is wrong than a busy server.
    private static let maximumPasses = 20

    package static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
        guard !arguments.has("key-only") || !arguments.has("seal-only") else {
            throw arguments.fault("--key-only and --seal-only do not go together.")
        }
        let configuration = try ConfigurationFile.locate(arguments, context).read()
        let folder = KeyFolder(configuration.path(configuration.keys.folder))
        if !arguments.has("seal-only") {
            try await StoreAccess.withAdministration(of: configuration, context) { administration in
                try context.console.result(try folder.rotateSealing(now: context.now()))
                try await administration.operations.log(
                    "sealing-key.rotate", of: "the sealing key", actor: CommandActor.text, now: context.now())
            }
            guard !arguments.has("key-only") else { return .success }
            context.console.say(
                "Waiting \(DurationText.write(KeyFolder.sealingLead + Self.margin)) until servers have read it.")
            try await Task.sleep(for: KeyFolder.sealingLead + Self.margin)
        }
        // The keys are read again: the new one seals now.
        return try await StoreAccess.withAdministration(of: configuration, context) { administration in
            try await Self.seal(administration, folder, context)
        }
    }

    private static func seal(
        _ administration: Administration, _ folder: KeyFolder, _ context: CommandContext
    ) async throws -> ExitCode {
        let keys = try folder.load(now: context.now())
        guard let newest = keys.sealing.first else {
            throw OperatorError(
                "The key folder \(folder.path) has no sealing key of its own yet.",
                advice: "Make one: leave --seal-only out.", exitCode: .keysUnusable)
        }
        guard newest.key.id == administration.keys.seal.current.id else {
            let ready = newest.made + KeyFolder.sealingLead
            throw OperatorError(
                "The newest sealing key is too new: servers may not have read it before \(ready.timeText).",
                advice: "Wait until then, and go on with --seal-only.")
        }
        var (total, closed) = (0, 0)
        for _ in 1...Self.maximumPasses {
            let outcome = try await administration.resealing.pass()
            total += outcome.resealed
            closed = outcome.closed
            guard outcome.isComplete else { continue }
            Self.tell(total, closed: closed, folder, context)
            return .success
        }
        throw OperatorError(
            "Sealing anew does not come to an end: servers still seal with an older key.",
            advice: "Look whether all of them read the folder \(folder.path), then go on with --seal-only.")
    }

    private static func tell(_ total: Int, closed: Int, _ folder: KeyFolder, _ context: CommandContext) {
        context.console.say(
            (total == 1 ? "1 value is sealed anew" : "\(total) values are sealed anew")
                + (closed == 0 ? "; everything has the new key." : "."))
        if closed > 0 {
            context.console.say(
                closed == 1 ? "1 value opens with no key, and stays." : "\(closed) values open with no key, and stay.")
        }
        let old = ((try? folder.sealingNumbers()) ?? []).dropFirst().map(KeyFolder.sealingName.text)
        guard !old.isEmpty else { return }
        let free = (context.now() + LoginAttempt.lifetime).timeText
        context.console.say(
            "From \(free) on, when logins under way are over, nothing needs "
                + "\(old.map(folder.file).joined(separator: ", ")).")
    }
}
