import Clientless
import CommandLineTool
import Cryptography
import Entitlement

enum RotateSealCommand {
    /// How much longer than a server waits the command waits: servers look every two seconds.
    private static let margin: Duration = .seconds(5)
    /// After so many passes something else is wrong than a busy server.
    private static let maximumPasses = 20

    static let command = ServerCommand(
        .store, "rotate-seal", "Make a new sealing key, and seal with it anew what the store keeps sealed",
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
        examples: ["latchkeyd keys rotate-seal": "once a year, or when a key may have leaked"],
        also: [.failure]
    ) { arguments, call in
        try arguments.requireAtMostOne(of: "key-only", "seal-only")
        let folder = try call.configuration.keyFolder
        let administration = try await call.administration
        try await KeyFit.require(of: folder.path, for: administration)
        let servers = try await administration.resealing.servers(now: call.now)
        if servers > 1 { try await Self.requireNewest(in: folder, administration.keyMark, now: call.now) }
        if !arguments.has("seal-only") {
            guard servers < 2 || arguments.has("key-only") else {
                throw OperatorError(
                    "\(servers) servers share the store, and each needs the new key first.",
                    advice: "Make it with --key-only, copy its file to the key folder of each, and go on with "
                        + "--seal-only.")
            }
            let file = try folder.rotateSealing(now: call.now)
            if let newest = try folder.load(now: call.now).sealing.first {
                try await administration.keyMark.add(sealingKey: Hex.encode(newest.key.id), made: call.now)
            }
            try call.result(file)
            try await administration.operations.log(
                "sealing-key.rotate", of: "the sealing key", actor: CommandActor.text, now: call.now)
            await call.close()
            guard !arguments.has("key-only") else {
                return call.say(
                    "Copy it to the key folder of every server of this store, and then go on with --seal-only.")
            }
            call.say("Waiting \(DurationText.write(KeyFolder.sealingLead + Self.margin)) until servers have read it.")
            try await Task.sleep(for: KeyFolder.sealingLead + Self.margin)
        }
        if servers > 1 {
            call.say(
                "\(servers) servers share the store. One that lacks the newest sealing key answers 503 at /readyz from now "
                    + "on, until the file is copied to its key folder.")
        }
        // The keys are read again: the new one seals now.
        try await Self.seal(call.administration, folder, call)
    }

    /// - Throws: when another server of the store made a newer key: two files of one name would hold two keys.
    private static func requireNewest(in folder: KeyFolder, _ mark: KeyMark, now: Timestamp) async throws {
        let known = try folder.load(now: now).sealing.map { Hex.encode($0.key.id) }
        guard let newest = try await mark.newestSealingKey(), !known.contains(newest) else { return }
        throw OperatorError(
            "The folder \(folder.path) lacks the newest sealing key of this store, which was made for another server.",
            advice: "Nothing was changed. Copy that server's newest sealing-N.key to this folder, and go on with "
                + "--seal-only.",
            exitCode: .keysUnusable)
    }

    private static func seal(_ administration: Administration, _ folder: KeyFolder, _ call: CommandCall) async throws {
        let keys = try folder.load(now: call.now)
        if let newest = keys.sealing.first, newest.key.id != administration.keys.seal.current.id {
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
            return Self.tell(total, closed: closed, folder, call)
        }
        throw OperatorError(
            "Sealing anew does not come to an end: servers still seal with an older key.",
            advice: "Look whether all of them read the folder \(folder.path), then go on with --seal-only.")
    }

    private static func tell(_ total: Int, closed: Int, _ folder: KeyFolder, _ call: CommandCall) {
        call.say(
            (total == 1 ? "1 value is sealed anew" : "\(total) values are sealed anew")
                + (closed == 0 ? "; everything has the new key." : "."))
        if closed > 0 {
            return call.say(
                (closed == 1 ? "1 value opens with no key, and stays." : "\(closed) values open with no key, and stay.")
                    + " If a sealing key is missing in \(folder.path), put it back and run this once more.")
        }
        let old = ((try? folder.sealingNumbers()) ?? []).dropFirst().map(KeyFolder.sealingName.text)
        guard !old.isEmpty else { return }
        let free = (call.now + Logins.recentLifetime).timeText
        call.say(
            "From \(free) on, when browsers have forgotten the day's sign-ins, nothing needs "
                + "\(old.map(folder.file).joined(separator: ", ")).")
    }
}
