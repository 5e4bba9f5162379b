import Clientless
import CommandLineTool
import HTTPClient

/// `latchkey account`: the one account of the box, by which the agent signs its requestors in.
struct AccountCommand {
    private let agent: AgentConnection
    private let account: JSONValue
    private let requestor: String
    private let reporter: Reporter

    init(_ agent: AgentConnection, _ reporter: Reporter) async throws(CommandFault) {
        self.agent = agent
        self.account = try await agent.send(.get, "/v1/account")
        self.requestor = self.account["requestor"]?.string ?? ""
        self.reporter = reporter.about(self.requestor)
    }

    /// - Parameter phrases: the viewer's language.
    func signIn(_ wishes: PairWishes, _ phrases: BoxPhrases) async throws(CommandFault) -> ExitCode {
        let server = try await self.agent.send(.get, "/v1/status")["server"]?.string ?? ""
        let show = PairingShow(
            reporter: self.reporter, wishes: wishes, server: terminalSafe(server), phrases: phrases)
        return try await AgentPairing(agent: self.agent, requestor: self.requestor, show: show).run()
    }

    func signOut() async throws(CommandFault) -> ExitCode {
        _ = try await self.agent.send(.delete, "/v1/requestors/\(self.requestor)/sign-in")
        return self.reporter.result(.signedOut(.signedOut), "The box is signed out.")
    }

    func show() -> ExitCode {
        let reason = self.account["reason"]?.string.flatMap { BoxEvent.Reason(rawValue: $0) }
        guard let mvpd = self.account["mvpd"]?.string else {
            let isPairing = self.account["state"]?.string == BoxEvent.Standing.State.pairing.rawValue
            let why = reason?.clause.map { " (\($0))" } ?? ""
            return self.reporter.result(
                .status(BoxEvent.Standing(state: isPairing ? .pairing : .signedOut, reason: reason)),
                "The box is not signed in\(why). 'latchkey account sign-in' shows a code.", .notSignedIn)
        }
        let signIn = BoxEvent.SignIn(
            mvpd: mvpd, mvpdName: self.account["mvpdName"]?.string, expires: self.account["expires"]?.integer)
        let lifetime = signIn.lifetime.map { ", for another \($0)" } ?? ""
        return self.reporter.result(
            .status(BoxEvent.Standing(state: .signedIn, signIn: signIn)),
            "The box is signed in with \(signIn.displayName), for \(self.requestor)\(lifetime).")
    }
}
