import AccessEnabler
import CommandLineTool
import POSIX

/// A command of `latchkey`, or a group of them. Its work throws `UsageError`, ``SettingsFaults`` or
/// ``CommandFault``.
typealias BoxCommand = ProgramCommand<@Sendable (BoxCall) async throws -> ExitCode>

struct BoxCall: Sendable {
    let arguments: ParsedArguments
    let environment: [String: String]
    let reporter: Reporter

    /// Has the agent do a command where one runs, and the library otherwise.
    /// - Parameters:
    ///   - asksAgent: whether an agent can do it.
    ///   - phrases: the language of a viewer, by the configuration if it can be read; operators read English.
    func box(
        asksAgent: Bool = true, phrases: (Settings?) -> BoxPhrases = { _ in .english },
        _ work: (any CommandedBox) async throws -> ExitCode
    ) async throws -> ExitCode {
        let settings = Result<Settings, SettingsFaults> { () throws(SettingsFaults) in
            try Settings(self.arguments, environment: self.environment)
        }
        let known = try? settings.get()
        let phrases = phrases(known)
        if asksAgent, let agent = try await AgentBox(self.arguments, known, self.reporter, phrases) {
            let code = await Result { try await work(agent) }
            await agent.shutDown()
            return try code.get()
        }
        let box = Box(settings: try settings.get(), reporter: self.reporter, phrases: phrases)
        let code: ExitCode
        do {
            code = try await work(box)
        } catch let error as EntitlementError {
            code = await box.fail(error)
        }
        await box.shutDown()
        return code
    }

    /// Lends the way to the agent to a command that only the agent can do.
    func agent(_ work: (AgentConnection, Settings?) async throws -> ExitCode) async throws -> ExitCode {
        let settings = try? Settings(self.arguments, environment: self.environment)
        let agent = AgentConnection(
            socket: self.arguments.value("socket") ?? settings?.agent.socket ?? AgentSection.defaultSocket)
        let code = await Result { try await work(agent, settings) }
        await agent.shutDown()
        return try code.get()
    }

    /// The words for a viewer before the screen. Events are English, and so is what they quote.
    /// - Parameter chosen: the tag of a language; `nil` if the locale decides.
    func phrases(_ chosen: String?) -> BoxPhrases {
        guard !self.reporter.isJSON else { return .english }
        let console = self.reporter.terminal.isTerminal ? LinuxConsole(.standardError) : nil
        return ViewerLanguage(
            chosen: chosen, environment: self.environment, terminal: self.reporter.terminal, console: console
        ).phrases
    }
}

/// The box as commands use it: by the library, or by way of the agent. Each method tells its result.
protocol CommandedBox {
    func pair(_ wishes: PairWishes) async throws -> ExitCode
    /// Says who is signed in, as the server has it or, offline, as the box remembers it.
    func status(isOffline: Bool) async throws -> ExitCode
    func providers() async throws -> ExitCode
    func authorize(_ resource: String) async throws -> ExitCode
    /// Says which of `resources` may be played.
    /// - Returns: success when all may be.
    func preauthorize(_ resources: [String]) async throws -> ExitCode
    func metadata(_ key: String) async throws -> ExitCode
    func logOut() async throws -> ExitCode
    /// Lists the boxes that are signed in with the account of this one.
    func boxes() async throws -> ExitCode
    func signOutBox(_ name: String, isConfirmed: Bool) async throws -> ExitCode
}
