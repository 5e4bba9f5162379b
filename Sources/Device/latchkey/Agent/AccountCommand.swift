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
    let console: Console
    /// What `--language` asks for; `nil` without it.
    let language: String?

    /// - Parameter verb: the subcommand.
    func run(_ verb: String) async -> ExitCode {
        let agent = AgentConnection(
            arguments: self.arguments, environment: self.environment, console: self.console, failureCode: "account")
        let (account, failure) = await agent.send(.get, "/v1/account")
        var code = failure
        if let account, let requestor = account["requestor"]?.string {
            switch verb {
            case "sign-in": code = await self.signIn(requestor, agent)
            case "sign-out": code = await self.signOut(requestor, agent)
            default: code = self.show(account, requestor)
            }
        }
        await agent.shutDown()
        return code
    }

    /// - Parameter phrases: the language of a viewer; `nil` where an operator asks.
    private func show(_ account: JSONValue, _ requestor: String, in phrases: BoxPhrases? = nil) -> ExitCode {
        let reason = account["reason"]?.string.flatMap { BoxEvent.Reason(rawValue: $0) }
        guard let mvpd = account["mvpd"]?.string else {
            let isPairing = account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue
            let why = reason?.clause.map { " (\($0))" } ?? ""
            return self.tell(
                .status(BoxEvent.Standing(isPairing ? .pairing : .signedOut, reason: reason)), requestor,
                "The box is not signed in\(why). 'latchkey account sign-in' shows a code.", .notSignedIn)
        }
        let signIn = BoxEvent.SignIn(
            mvpd: mvpd, mvpdName: account["mvpdName"]?.string, expires: account["expires"]?.integer)
        let lifetime = signIn.lifetime.map { ", for another \($0)" } ?? ""
        let words =
            phrases?.say(.accountReady, ["provider": signIn.displayName])
            ?? "The box is signed in with \(signIn.displayName), for \(requestor)\(lifetime)."
        return self.tell(.status(BoxEvent.Standing(.signedIn, signIn: signIn)), requestor, words, .success)
    }

    private func signOut(_ requestor: String, _ agent: AgentConnection) async -> ExitCode {
        let code = await agent.send(.delete, "/v1/requestors/\(requestor)/sign-in").code
        guard code == .success else { return code }
        return self.tell(.signedOut(.signedOut), requestor, "The box is signed out.", .success)
    }

    /// Shows a code, and waits for what becomes of it. Where this is interrupted, the agent goes on.
    private func signIn(_ requestor: String, _ agent: AgentConnection) async -> ExitCode {
        let (start, failure) = await agent.send(.get, "/v1/events")
        guard var next = start?["next"]?.integer else { return failure }
        let (pairing, pairingFailure) = await agent.send(
            .post, "/v1/requestors/\(requestor)/pairing", body: .object([]), wait: .seconds(20), serves: [409])
        guard let pairing else { return pairingFailure }
        guard let code = pairing["code"]?.string else {
            guard pairing["error"]?.string == "already_signed_in" else {
                return agent.fail(pairing["message"]?.string ?? "The agent cannot do that.", .failure)
            }
            let (account, code) = await agent.send(.get, "/v1/account")
            return account.map { self.show($0, requestor, in: self.phrases) } ?? code
        }
        let shown = BoxEvent.IssuedCode(
            code: code, displayCode: pairing["displayCode"]?.string ?? code, url: pairing["url"]?.string,
            pageURL: pairing["pageUrl"]?.string, shortURL: pairing["shortUrl"]?.string, qr: pairing["qr"]?.string,
            expires: pairing["expires"]?.integer ?? 0, secondsLeft: pairing["secondsLeft"]?.integer ?? 0)
        var last = shown.code
        let phrases = self.phrases
        var result = self.tell(.codeIssued(shown), requestor, Self.sentence(shown, in: phrases), .success)
        while result == .success {
            let (answer, code) = await agent.send(
                .get, "/v1/events?after=\(next)&wait=\(Self.wait)", wait: .seconds(Self.wait))
            guard let answer, let number = answer["next"]?.integer else { return code }
            next = number
            for json in answer["events"]?.array ?? [] {
                guard let event = try? BoxEvent(json: json), event.requestor == requestor else { continue }
                if case .codeIssued(let issued) = event.news {
                    guard issued.code != last else { continue }
                    last = issued.code
                }
                let (text, end) = Self.talk(of: event.news, in: phrases)
                if self.arguments.has("json") || !text.isEmpty {
                    result = self.tell(event.news, requestor, text, end ?? .success)
                }
                if let end { return result == .stateProblem ? result : end }
            }
        }
        return result
    }

    /// The line for people, and how the command ends where the pairing does.
    private static func talk(of news: BoxEvent.News, in phrases: BoxPhrases) -> (text: String, end: ExitCode?) {
        switch news {
        case .codeIssued(let code): (Self.sentence(code, in: phrases), nil)
        case .approved(let signIn, _): (phrases.say(.accountReady, ["provider": signIn.displayName]), .success)
        case .declined: (phrases.say(.accountDeclined), .declined)
        case .expired: (phrases.say(.accountExpired), .expired)
        case .cancelled: (phrases.say(.accountWithdrawn), .declined)
        case .error(let failure): (terminalSafe(failure.message), .failure)
        case .pageOpened: (phrases.say(.accountOpened), nil)
        case .unreachable(let message): (terminalSafe(message), nil)
        case .signingIn, .pageLeft, .confirming, .providerRefused, .interrupted, .slowDown, .reachable, .status,
            .signedOut, .providers, .authorized, .mediaToken, .preauthorized, .metadata, .boxes, .boxSignedOut,
            .check, .configured, .permissionAsked, .text, .warning, .gap:
            ("", nil)
        }
    }

    private static func sentence(_ code: BoxEvent.IssuedCode, in phrases: BoxPhrases) -> String {
        var values = ["code": terminalSafe(code.displayCode)]
        guard let place = code.pageURL ?? code.url else { return phrases.say(.accountEnter, values) }
        values["address"] = terminalSafe(place)
        return phrases.say(.accountOpen, values)
    }

    /// The viewer's language. The agent's configuration may be for its own user alone; then the locale decides.
    private var phrases: BoxPhrases {
        let file = try? ConfigurationFile(self.arguments.value("config") ?? Settings.defaultFile)
        var setting: String?
        if case .text(let text)? = file?.members["language"] { setting = BoxPhrases.language(fitting: text) }
        let terminal = Terminal(on: .standardOutput, environment: self.environment)
        return ViewerLanguage(
            chosen: self.language ?? setting, environment: self.environment, terminal: terminal,
            console: terminal.isTerminal ? LinuxConsole(.standardOutput) : nil
        ).phrases
    }

    private func tell(_ news: BoxEvent.News, _ requestor: String, _ text: String, _ code: ExitCode) -> ExitCode {
        let now = Timestamp(milliseconds: WallClock.milliseconds())
        let columns = Terminal(on: .standardOutput, environment: self.environment).size?.columns
        let line =
            self.arguments.has("json")
            ? BoxEvent(news, at: now, requestor: requestor).line : parted(text, columns: columns)
        return (try? self.console.result(line)) == nil ? .stateProblem : code
    }
}
