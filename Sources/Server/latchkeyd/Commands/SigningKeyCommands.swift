import Clientless
import CommandLineTool
import Entitlement
import ServerAPI

enum SigningKeyCommands {
    static let group = ServerCommand(group: "signing", "The keys this server signs with", [list, rotate])

    private struct Entry {
        let use: String
        let file: String
        let signs: Bool
        /// When it will, for a key that is published and does not sign yet.
        let signsFrom: String?

        var role: String {
            if self.signs { return "signs" }
            return self.signsFrom.map { "signs from \($0)" } ?? "verifies"
        }
    }

    private static let shape = Shape<Entry>(
        .init("use", \.use), .init("file", \.file), .init("signs", \.signs),
        .init("signsFrom", optional: \.signsFrom))

    static let list = ServerCommand(
        .configuration, "list", "Show the files of signing keys",
        options: [CommonOptions.json],
        examples: ["latchkeyd keys signing list": "which key signs, which only verify"],
        also: [.keysUnusable]
    ) { arguments, call in
        let configuration = try call.configuration
        let folder = configuration.keyFolder
        let entries = try KeyUse.allCases.flatMap {
            try Self.entries($0, in: folder, lead: configuration.keys.lead, now: call.now)
        }
        try call.list(entries, as: Self.shape, [("USE", \.use), ("ROLE", \.role), ("FILE", \.file)])
        for fault in folder.faults() { call.say(fault) }
        guard let mark = try? await call.administration.keyMark else { return }
        for warning in await ConfigurationWarning.goneKeys(in: configuration, mark, now: call.now) {
            call.say("warning: \(warning.sentence).")
        }
    }

    private static func entries(_ use: KeyUse, in folder: KeyFolder, lead: Duration, now: Timestamp) throws -> [Entry] {
        let numbers = try folder.numbers(of: use)
        guard !numbers.isEmpty else { return [] }
        let files = numbers.map(use.file.text)
        let made = files.map(folder.made(file:))
        // Statements are signed by commands, which take the newest key there is.
        let signing =
            use == .softwareStatement
            ? 0 : KeySchedule(made: made, lead: lead, longestLife: nil).signing(at: now)
        return numbers.indices.map { place in
            Entry(
                use: use.rawValue, file: folder.file(files[place]), signs: place == signing,
                signsFrom: place < signing ? (made[place] + lead).timeText : nil)
        }
    }

    static let rotate = ServerCommand(
        .store, "rotate", "Make a new signing key; the old ones go on verifying",
        discussion: [
            "A running server publishes the public half of the new key within seconds, and signs with it after the "
                + "time of the setting keys.lead. It accepts an old key until everything that the key signed has "
                + "expired. If an old key has leaked, move its file out of the folder: then the server refuses all "
                + "that the key signed, boxes sign in again, and putting the file back does not help them."
        ],
        options: [
            .value("use", "USE", "One of " + KeyUse.allCases.map(\.rawValue).joined(separator: ", ")),
            .flag("lost", "Go on although the old keys are lost: boxes have to sign in again"),
        ],
        examples: ["latchkeyd keys signing rotate --use token-signing": "for media tokens"]
    ) { arguments, call in
        let use: KeyUse = try arguments.word(try arguments.required("use"), of: "--use")
        let configuration = try call.configuration
        let (folder, mark) = (configuration.keyFolder, try await call.administration.keyMark)
        let hasKey = try !folder.numbers(of: use).isEmpty
        if !arguments.has("lost") {
            guard hasKey else { throw folder.error("The key folder \(folder.path) has no \(use.file.text(1)).") }
            try await KeyFit.require(of: folder.path, for: call.administration)
        } else if hasKey, try await !KeyFit(of: call.administration, in: folder).strange.contains(use) {
            throw arguments.fault("No \(use.rawValue) key is lost. Leave out --lost.")
        }
        let file = try folder.rotate(use, now: call.now)
        // Servers take a folder in which they know a key.
        try await mark.add(signingKeys: folder.marks(of: [use]))
        try call.result(file)
        await call.log("signing-key.rotate", of: "use \(use.rawValue)")
        // Statements are signed by commands, which take the newest key there is.
        if use != .softwareStatement {
            call.say(hasKey ? "It signs in \(DurationText.write(configuration.keys.lead))." : "It signs at once.")
        }
        if use == .tokenSigning {
            let address = "\(configuration.server.publicURL)/.well-known/media-token-key.pem"
            call.say("Playback back ends must fetch \(address) again, or they refuse its tokens.")
        }
    }
}
