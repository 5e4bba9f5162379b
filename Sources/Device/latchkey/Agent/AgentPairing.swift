import AccessEnabler
import Clientless
import CommandLineTool
import HTTPClient

/// A pairing that the agent runs and this command shows. If the command is interrupted, the agent goes on.
struct AgentPairing: Sendable {
    /// Seconds that the agent holds a question about events.
    private static let wait = 55

    let agent: AgentConnection
    let requestor: String
    let show: PairingShow

    private var place: String { "/v1/requestors/\(self.requestor)" }

    func run() async throws(CommandFault) -> ExitCode {
        try await self.show.run { (screen) throws(CommandFault) in try await self.follow(screen) }
    }

    private func follow(_ screen: PairingScreen) async throws(CommandFault) -> PairingEnd {
        // Asked before the pairing begins: a fast one may be over by the first question about it.
        var next = try await self.agent.send(.get, "/v1/events")["next"]?.integer ?? 0
        var code: AccessEnabler.RegistrationCode?
        // The agent's news of the connection count once the code is there. Until then its answers say the same.
        var isBegun = false
        if let pairing = try await self.current() {
            isBegun = true
            _ = self.take(pairing, isResumed: true, &code, screen)
        } else {
            let begun = try await self.begin(screen)
            switch begun["error"]?.string {
            case nil: _ = self.take(begun, isResumed: false, &code, screen)
            case "no_provider": return .noProvider
            case "already_signed_in":
                if let signIn = try await self.signIn() { return .signedIn(signIn, isAlready: true) }
                throw CommandFault(409, begun)
            default: throw CommandFault(409, begun)
            }
        }
        var absence: StartBackOff?
        while true {
            let answer: JSONValue
            do throws(CommandFault) {
                answer = try await self.agent.send(
                    .get, "/v1/events?after=\(next)&wait=\(Self.wait)", wait: .seconds(Self.wait))
                if absence != nil { screen.show(.connectionRestored) }
                absence = nil
            } catch {
                // An agent that starts again, as at an upgrade, goes on with the same code.
                guard error.isSilent, let left = code?.timeLeft, left > .zero else { throw error }
                if absence == nil { screen.showProblem(error.failure.message) }
                var backOff = absence ?? StartBackOff()
                guard (try? await Task.sleep(for: backOff.pause(.random(in: 0..<1)))) != nil else { throw error }
                absence = backOff
                continue
            }
            next = answer["next"]?.integer ?? next
            for json in answer["events"]?.array ?? [] {
                guard let event = try? BoxEvent(json: json) else { continue }
                switch event.news {
                // The end of the pairing may be among the events that were missed.
                case .gap: if let end = try await self.look(&code, screen) { return end }
                case _ where event.requestor != self.requestor: break
                case .codeIssued(let issued):
                    isBegun = true
                    // As it is now: an event that waited tells of more seconds than are left.
                    let pairing = (try? await self.current()) ?? json
                    if let end = self.take(pairing, isResumed: issued.isResumed, &code, screen) { return end }
                case .error(let failure):
                    screen.remark(terminalSafe(failure.message, limit: 1024))
                    if let end = try await self.look(&code, screen, after: failure) { return end }
                case .unreachable(let message): if isBegun { screen.showProblem(self.sentence(message)) }
                case .slowDown: self.show.reporter.event(event.news)
                case .reachable where !isBegun: break
                case let news:
                    if let end = PairingEnd(news) { return end }
                    if let progress = AccessEnabler.PairingProgress(news) { screen.show(progress) }
                }
            }
        }
    }

    /// Begins the pairing. A server that cannot be reached is waited for, as the viewer wishes, and so is an agent that
    /// starts again.
    private func begin(_ screen: PairingScreen) async throws(CommandFault) -> JSONValue {
        var backOff = StartBackOff()
        var told: String?
        while true {
            do throws(CommandFault) {
                let answer = try await self.agent.send(.post, "\(self.place)/pairing", body: .object([]), serves: [409])
                if told != nil { screen.show(.connectionRestored) }
                return answer
            } catch {
                let message = error.failure.message
                guard self.show.wishes.waitsForServer, error.failure.code == "unreachable" else { throw error }
                if told != message { screen.showProblem(self.sentence(message)) }
                told = message
                guard (try? await Task.sleep(for: backOff.pause(.random(in: 0..<1)))) != nil else { throw error }
            }
        }
    }

    /// Shows the code of a pairing, or counts down anew for the one that is on show.
    /// - Returns: the end, if the viewer wishes to see one code only and this is another.
    private func take(
        _ pairing: JSONValue, isResumed: Bool, _ shown: inout AccessEnabler.RegistrationCode?, _ screen: PairingScreen
    ) -> PairingEnd? {
        guard let text = pairing["code"]?.string.flatMap({ RegistrationCodeText($0) }),
            let expires = pairing["expires"]?.integer, let left = pairing["secondsLeft"]?.integer
        else { return nil }
        let isNew = text.text != shown?.code
        if shown != nil, isNew {
            guard !self.show.wishes.showsOneCode else { return .over(.expired) }
            screen.renew()
        }
        let end = Timestamp(milliseconds: expires)
        let code = AccessEnabler.RegistrationCode(
            code: text, loginURL: pairing["pageUrl"]?.string.map { terminalSafe($0, limit: 1024) },
            shortURL: pairing["shortUrl"]?.string.map { terminalSafe($0, limit: 256) }, expires: end,
            at: end - .seconds(left))
        shown = code
        screen.show(.code(code, left: code.timeLeft, isResumed: isResumed))
        if isNew, pairing["opened"]?.boolean == true { screen.show(.pageOpened) }
        return nil
    }

    /// Looks whether the pairing goes on, and shows its code then.
    /// - Parameter failure: the failure that may have ended it.
    /// - Returns: the sign-in, if there is one.
    /// - Throws: the failure if the pairing is over without a sign-in.
    private func look(
        _ shown: inout AccessEnabler.RegistrationCode?, _ screen: PairingScreen,
        after failure: BoxEvent.Failure? = nil
    ) async throws(CommandFault) -> PairingEnd? {
        if let pairing = try await self.current() { return self.take(pairing, isResumed: false, &shown, screen) }
        if let signIn = try await self.signIn() { return .signedIn(signIn) }
        throw CommandFault(failure?.code ?? "agent", failure?.message ?? "The pairing has ended.")
    }

    /// The pairing that runs; `nil` without one.
    private func current() async throws(CommandFault) -> JSONValue? {
        let pairing = try await self.agent.send(.get, "\(self.place)/pairing", serves: [404])
        return pairing["code"] == nil ? nil : pairing
    }

    private func signIn() async throws(CommandFault) -> BoxEvent.SignIn? {
        let standing = try await self.agent.send(.get, self.place)
        return standing["mvpd"]?.string.map {
            BoxEvent.SignIn(mvpd: $0, mvpdName: standing["mvpdName"]?.string, expires: standing["expires"]?.integer)
        }
    }

    /// The agent's sentence about the way to the server. A viewer reads the usual one in their language.
    private func sentence(_ message: String) -> String {
        message == AgentError.unreachable(self.show.server)
            ? self.show.phrases.say(.troubleUnreachable, ["server": self.show.server])
            : terminalSafe(message, limit: 1024)
    }
}

extension PairingEnd {
    /// The end that an event of the agent tells of; `nil` for any other event.
    fileprivate init?(_ news: BoxEvent.News) {
        switch news {
        case .approved(let signIn, _): self = .signedIn(signIn)
        case .declined: self = .over(.declined)
        case .cancelled: self = .over(.cancelled)
        case .expired: self = .over(.expired)
        default: return nil
        }
    }
}

extension AccessEnabler.PairingProgress {
    /// The progress that an event of the agent tells of; `nil` for any other event.
    fileprivate init?(_ news: BoxEvent.News) {
        switch news {
        case .pageOpened: self = .pageOpened
        case .signingIn: self = .state(.loggingIn)
        case .confirming: self = .state(.confirming)
        case .pageLeft: self = .state(.waiting)
        case .providerRefused(let words): self = .providerRefused(words)
        case .reachable: self = .connectionRestored
        default: return nil
        }
    }
}
