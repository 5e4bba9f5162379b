import BoxEvents
import BoxWords
import Clientless
import CommandLineTool
import HTTPClient
import JSON5
import POSIX

/// `latchkey account`: the one account of the box, by which the agent signs its requestors in.
struct AccountCommand {
    /// Seconds that the agent holds a question about events.
    private static let wait = 55

    let arguments: ParsedArguments
    let environment: [String: String]
    let agent: AgentConnection
    let reporter: Reporter
    /// The language that `--language` asks for; `nil` without it.
    let language: String?

    /// - Parameter verb: the subcommand.
    func run(_ verb: String) async throws(AgentConnection.Refusal) -> ExitCode {
        let account = try await self.agent.send(.get, "/v1/account")
        let requestor = account["requestor"]?.string ?? ""
        let reporter = self.reporter.about(requestor)
        switch verb {
        case "sign-in": return try await self.signIn(requestor, reporter)
        case "sign-out":
            _ = try await self.agent.send(.delete, "/v1/requestors/\(requestor)/sign-in")
            return reporter.result(.signedOut(.signedOut), "The box is signed out.")
        default: return self.show(account, requestor, reporter)
        }
    }

    /// - Parameter phrases: the language of a viewer; `nil` where an operator asks.
    private func show(
        _ account: JSONValue, _ requestor: String, _ reporter: Reporter, in phrases: BoxPhrases? = nil
    ) -> ExitCode {
        let reason = account["reason"]?.string.flatMap { BoxEvent.Reason(rawValue: $0) }
        guard let mvpd = account["mvpd"]?.string else {
            let isPairing = account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue
            let why = reason?.clause.map { " (\($0))" } ?? ""
            return reporter.result(
                .status(BoxEvent.Standing(isPairing ? .pairing : .signedOut, reason: reason)),
                "The box is not signed in\(why). 'latchkey account sign-in' shows a code.", .notSignedIn)
        }
        let signIn = BoxEvent.SignIn(
            mvpd: mvpd, mvpdName: account["mvpdName"]?.string, expires: account["expires"]?.integer)
        let lifetime = signIn.lifetime.map { ", for another \($0)" } ?? ""
        let words =
            phrases?.say(.accountReady, ["provider": signIn.displayName])
            ?? "The box is signed in with \(signIn.displayName), for \(requestor)\(lifetime)."
        return reporter.result(.status(BoxEvent.Standing(.signedIn, signIn: signIn)), words)
    }

    /// Shows a code, and waits for what becomes of it. The agent goes on if this is interrupted.
    private func signIn(_ requestor: String, _ reporter: Reporter) async throws(AgentConnection.Refusal) -> ExitCode {
        let phrases = self.phrases
        var next = try await self.agent.send(.get, "/v1/events")["next"]?.integer ?? 0
        let pairing = try await self.agent.send(
            .post, "/v1/requestors/\(requestor)/pairing", body: .object([]), serves: [409])
        guard var last = self.tell(pairing, reporter, phrases) else {
            guard pairing["error"]?.string == "already_signed_in" else {
                throw AgentConnection.Refusal(409, pairing)
            }
            return self.show(try await self.agent.send(.get, "/v1/account"), requestor, reporter, in: phrases)
        }
        while true {
            let answer = try await self.agent.send(
                .get, "/v1/events?after=\(next)&wait=\(Self.wait)", wait: .seconds(Self.wait))
            next = answer["next"]?.integer ?? next
            for json in answer["events"]?.array ?? [] {
                guard let event = try? BoxEvent(json: json) else { continue }
                switch event.news {
                // The missed events may include the end.
                case .gap: if let end = try await self.look(requestor, reporter, &last, phrases) { return end }
                case .codeIssued where event.requestor == requestor:
                    if json["code"]?.string != last { last = self.tell(json, reporter, phrases) ?? last }
                case .error(let failure) where event.requestor == requestor:
                    reporter.event(event.news)
                    reporter.say(terminalSafe(failure.message))
                    // One that ends no pairing, such as a full disk, is waited out.
                    if let end = try await self.look(requestor, reporter, &last, phrases) { return end }
                case let news where event.requestor == requestor:
                    let (text, end) = Self.talk(of: news, in: phrases)
                    guard reporter.isJSON || !text.isEmpty else { continue }
                    let code = reporter.result(news, text, end ?? .success)
                    if end != nil || code != .success { return code }
                default: break
                }
            }
        }
    }

    /// Looks whether the pairing goes on, and shows its code then.
    /// - Returns: how the command ends where it does not.
    private func look(
        _ requestor: String, _ reporter: Reporter, _ last: inout String, _ phrases: BoxPhrases
    ) async throws(AgentConnection.Refusal) -> ExitCode? {
        let account = try await self.agent.send(.get, "/v1/account")
        guard account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue else {
            let end = self.show(account, requestor, reporter, in: phrases)
            return end == .success ? .success : .failure
        }
        let pairing = try await self.agent.send(.get, "/v1/requestors/\(requestor)/pairing", serves: [404])
        if let code = pairing["code"]?.string, code != last { last = self.tell(pairing, reporter, phrases) ?? last }
        return nil
    }

    /// Shows a code. - Returns: the code; `nil` where there is none.
    private func tell(_ pairing: JSONValue, _ reporter: Reporter, _ phrases: BoxPhrases) -> String? {
        guard let code = pairing["code"]?.string else { return nil }
        let shown = BoxEvent.IssuedCode(
            code: code, displayCode: pairing["displayCode"]?.string ?? code, url: pairing["url"]?.string,
            pageURL: pairing["pageUrl"]?.string, shortURL: pairing["shortUrl"]?.string, qr: pairing["qr"]?.string,
            expires: pairing["expires"]?.integer ?? 0, secondsLeft: pairing["secondsLeft"]?.integer ?? 0)
        var values = ["code": terminalSafe(shown.displayCode)]
        values["address"] = (shown.pageURL ?? shown.url).map { terminalSafe($0) }
        reporter.result(
            .codeIssued(shown), phrases.say(values["address"] == nil ? .accountEnter : .accountOpen, values))
        return code
    }

    /// The line for people, and how the command ends where the pairing does.
    private static func talk(of news: BoxEvent.News, in phrases: BoxPhrases) -> (text: String, end: ExitCode?) {
        switch news {
        case .approved(let signIn, _): (phrases.say(.accountReady, ["provider": signIn.displayName]), .success)
        case .declined: (phrases.say(.accountDeclined), .declined)
        case .expired: (phrases.say(.accountExpired), .expired)
        case .cancelled: (phrases.say(.accountWithdrawn), .declined)
        case .pageOpened: (phrases.say(.accountOpened), nil)
        case .unreachable(let message): (terminalSafe(message), nil)
        default: ("", nil)
        }
    }

    /// The viewer's language. The agent's configuration may be for its own user alone; then the locale decides.
    private var phrases: BoxPhrases {
        let file = try? ConfigurationFile(self.arguments.value("config") ?? Settings.defaultFile)
        var setting: String?
        if case .text(let text)? = file?.tree.fields["language"] { setting = BoxPhrases.language(fitting: text) }
        let terminal = Terminal(on: .standardOutput, environment: self.environment)
        return ViewerLanguage(
            chosen: self.language ?? setting, environment: self.environment, terminal: terminal,
            console: terminal.isTerminal ? LinuxConsole(.standardOutput) : nil
        ).phrases
    }
}
