import BoxEvents
import BoxWords
import Clientless
import CommandLineTool
import HTTPClient

/// `latchkey account`: the one account of the box, by which the agent signs its requestors in.
struct AccountCommand {
    let agent: AgentConnection
    let reporter: Reporter
    /// The wishes for `sign-in`; `nil` for any other subcommand.
    let wishes: PairWishes?
    /// The viewer's language.
    let phrases: BoxPhrases

    /// - Parameter verb: the subcommand.
    func run(_ verb: String) async throws(AgentConnection.Refusal) -> ExitCode {
        let account = try await self.agent.send(.get, "/v1/account")
        let requestor = account["requestor"]?.string ?? ""
        let reporter = self.reporter.about(requestor)
        switch verb {
        case "sign-in":
            guard let wishes = self.wishes else { return .internalError }
            let server = try await self.agent.send(.get, "/v1/status")["server"]?.string ?? ""
            let show = PairingShow(
                reporter: reporter, wishes: wishes, server: terminalSafe(server), phrases: self.phrases)
            return try await AgentPairing(agent: self.agent, requestor: requestor, show: show).run()
        case "sign-out":
            _ = try await self.agent.send(.delete, "/v1/requestors/\(requestor)/sign-in")
            return reporter.result(.signedOut(.signedOut), "The box is signed out.")
        default: return self.show(account, requestor, reporter)
        }
    }

    private func show(_ account: JSONValue, _ requestor: String, _ reporter: Reporter) -> ExitCode {
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
        return reporter.result(
            .status(BoxEvent.Standing(.signedIn, signIn: signIn)),
            "The box is signed in with \(signIn.displayName), for \(requestor)\(lifetime).")
    }
}
