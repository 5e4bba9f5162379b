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

    /// - Parameter application: whose software statement the box gets; `nil` for a key pair.
    static func issue(
        for requestor: RequestorID, application: ApplicationRecord?, label: String? = nil, _ call: CommandCall
    ) async throws {
        let lifetime = try call.arguments.duration("valid", in: SetUpCodes.lifetimes, default: SetUpCodes.usualLifetime)
        let server = try call.configuration.server.publicURL
        let issued = try await call.administration.setUpCodes.issue(
            for: requestor, application: application, lifetime: lifetime, label: label, actor: CommandActor.text,
            now: call.now)
        guard try !call.shows(JSONLine.text(of: (issued, server), Shapes.setUpCode)) else { return }
        let (code, expires) = (issued.text.grouped, issued.record.expires.timeText)
        try call.result(
            """
            set-up code  \(code)
            requestor    \(requestor)
            good until   \(expires)
            """)
        let words = "latchkey init --server \(server) --code \(code)"
        call.say("On the box: \(words)")
        call.say("It is shown this once, and is good for one box.")
        let console = call.context.console
        let symbol = TerminalSymbol(
            terminal: console.terminal(environment: call.context.environment), console: console.linuxConsole)
        let beside = ["set-up code", code, "good until", expires, "on the box", words]
        if let lines = symbol.lines(of: words, beside: beside) {
            call.say("As a picture, for a phone to copy:\n\(lines.joined(separator: "\n"))")
        }
    }
}
