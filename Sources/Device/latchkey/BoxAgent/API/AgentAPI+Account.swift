import AccessEnabler
import Clientless
import Cryptography
import HTTPServer

extension AgentAPI {
    /// Characters of a profile request: Base64 of 512 bytes.
    private static let requestLimit = 684

    var accountEndpoints: [AgentEndpoint] {
        [
            AgentEndpoint(
                method: .get, path: "/v1/account", name: "account",
                about: "The account of the box, by which requestors are signed in without a code",
                answers: [(200, "The account", "Account")], failures: [.notFound, .unreachable, .internal],
                handler: .task { (call) throws(AgentError) in try await self.description(of: try self.accountDesk()) }),
            AgentEndpoint(
                method: .get, path: "/v1/account/providers", name: "account-providers",
                about: "The TV providers that the account can be signed in with, and what boxes call each",
                answers: [(200, "The providers", "AccountProviders")], failures: [.notFound, .unreachable],
                handler: .task { (call) throws(AgentError) in
                    let desk = try self.accountDesk()
                    try await desk.reach()
                    let providers = await (desk.enabler.accountProviders ?? []).map { identifier, mvpd -> JSONValue in
                        ["id": .string(mvpd.id), "name": .string(mvpd.displayName), "provider": .string(identifier)]
                    }
                    return AgentAnswer(.init("providers", .array(providers)))
                }),
            AgentEndpoint(
                method: .post, path: "/v1/account/profile", name: "profile",
                about: "The server's word that the box is signed in, for the requestor whose profile request this is",
                body: "ProfileRequest", answers: [(200, "The profile, good once and for two minutes", "Profile")],
                failures: [.notFound, .notSignedIn, .conflict, .unreachable, .internal],
                handler: .task { (call) throws(AgentError) in
                    let text = try AgentCall.text(
                        "request", try call.body("request")["request"]?.string, limit: Self.requestLimit)
                    guard let request = Base64.decode(text) else {
                        throw AgentError(.badRequest, "request must be Base64.")
                    }
                    return AgentAnswer(.init("profile", .string(try await self.accountDesk().profile(for: request))))
                }),
        ]
    }

    private func accountDesk() throws(AgentError) -> Desk {
        if let account = self.account { return account }
        throw AgentError(.notFound, "The agent is not configured with an account of the box.")
    }

    private func description(of desk: Desk) async throws(AgentError) -> AgentAnswer {
        var account: AccessEnabler.AccountInfo?
        do throws(AgentError) {
            account = try await desk.accountInformation()
        } catch {
            // Over by the box's clock, and perhaps not by the server's, which is not known before it answered.
            if try await desk.signIn() == nil, await !desk.contact.hasReached { throw error }
        }
        var standing = try await desk.standing()
        // Also while the account is signed in anew.
        if standing.state == .pairing, standing.signIn == nil { standing.reason = try await desk.reason() }
        var members = [JSONValue.Member("requestor", .string(desk.requestor))]
        members += BoxEvent.News.status(standing).members
        if let provider = account?.providerIdentifier { members.append(.init("provider", .string(provider))) }
        if try await desk.keptSignIn() != nil, standing.signIn == nil { members.append(.init("kept", true)) }
        return AgentAnswer(json: .object(members))
    }
}
