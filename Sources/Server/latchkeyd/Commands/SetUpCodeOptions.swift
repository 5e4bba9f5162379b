import ServerAPI
import Clientless
import CommandLineTool
import Entitlement

/// The common part of the commands that show a set-up code in place of a credential.
enum SetUpCodeOptions {
    static let all: [CommandOption] = [
        .flag("setup-code", "Show a one-time code for 'latchkey init' in its place"),
        .value("valid", "TIME", "How long the code is good, from 1m to 7d; 1h when left out"),
    ]

    /// Makes a code and shows it.
    /// - Parameter application: whose software statement the box gets; `nil` for a key pair.
    static func issue(
        for requestor: RequestorID, application: ApplicationRecord?, label: String? = nil,
        _ administration: Administration, _ configuration: Configuration, _ arguments: ParsedArguments,
        _ context: CommandContext
    ) async throws -> ExitCode {
        let lifetime = try CommonOptions.duration(
            "valid", in: SetUpCodes.lifetimes, default: SetUpCodes.usualLifetime, arguments)
        let server = configuration.server.publicURL
        let issued = try await administration.setUpCodes.issue(
            for: requestor, application: application, lifetime: lifetime, label: label, actor: CommandActor.text,
            now: context.now())
        guard try !context.shows(Shapes.setUpCode.json((issued, server), .civil), arguments) else { return .success }
        let (code, expires) = (issued.text.grouped, issued.record.expires.timeText)
        try context.console.result(
            """
            set-up code  \(code)
            requestor    \(requestor)
            good until   \(expires)
            """)
        let words = "latchkey init --server \(server) --code \(code)"
        context.console.say("On the box: \(words)")
        context.console.say("It is shown this once, and is good for one box.")
        let symbol = TerminalSymbol(
            terminal: context.console.terminal(environment: context.environment), console: context.console.linuxConsole)
        let beside = ["set-up code", code, "good until", expires, "on the box", words]
        if let lines = symbol.lines(of: words, beside: beside) {
            context.console.say("As a picture, for a phone to copy:\n\(lines.joined(separator: "\n"))")
        }
        return .success
    }
}
