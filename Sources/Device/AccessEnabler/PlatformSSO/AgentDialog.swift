import Clientless
import HTTPClient
import Lifecycle
import TextCoding

/// Signs the box in by its agent: the application draws the choice of a provider, and then the code (access-enabler 10.4).
struct AgentDialog: Sendable {
    /// Seconds that the agent holds a question about events.
    private static let wait = 50

    let agent: AccessEnabler.AgentPlatformSSO
    /// The requestor whose sign-in is the account.
    let requestor: String

    /// Returns when the box is signed in.
    func signIn(
        _ query: AccessEnabler.AccountQuery, _ dialog: any TvProviderDialogHost
    ) async throws(PlatformSSOFailure) {
        let offered = try await self.providers()
        func shown(_ identifiers: [String]) -> [MVPD] {
            identifiers.compactMap { identifier in offered.first { $0.identifier == identifier }?.mvpd }
        }
        let request = TvProviderDialogRequest(
            providers: shown(query.supportedProviders), featured: shown(query.featuredProviders))
        guard !request.providers.isEmpty else { throw .otherProviderChosen }
        let regular = offered.filter { query.regularProviders.contains($0.identifier) }
        await dialog.present(request)
        let end = await Result { () async throws(PlatformSSOFailure) in try await self.run(request, regular) }
        request.turn(to: .finished)
        await dialog.dismiss(request)
        try end.get()
    }

    private typealias Offered = (identifier: String, mvpd: MVPD)

    /// The providers that the account can be signed in with, and what boxes call each.
    private func providers() async throws(PlatformSSOFailure) -> [Offered] {
        let answer = try await self.agent.ask(.get, "/v1/account/providers")
        guard answer.status == 200, let list = answer.json["providers"]?.array else { throw answer.failure }
        return list.compactMap { item in
            guard let id = item["id"]?.string, let name = item["name"]?.string,
                let identifier = item["provider"]?.string
            else { return nil }
            return (identifier, MVPD(id: id, displayName: name))
        }
    }

    private func run(_ request: TvProviderDialogRequest, _ regular: [Offered]) async throws(PlatformSSOFailure) {
        switch await request.answer() {
        case .other: throw .otherProviderChosen
        case .cancelled: throw .cancelled
        case .provider(let id):
            guard request.providers.contains(where: { $0.id == id }) else { throw .unsupportedProvider(id) }
            // A code for the account would not sign the application in: the viewer would need a second one.
            if let chosen = regular.first(where: { $0.mvpd.id == id }) { throw .unsupportedProvider(chosen.identifier) }
            request.turn(to: .working)
            try await self.pair(id, request)
        }
    }

    private var pairing: String { "/v1/requestors/\(PercentCoding.encoded(self.requestor))/pairing" }

    private func pair(_ id: String, _ request: TvProviderDialogRequest) async throws(PlatformSSOFailure) {
        // The number first, so that no event after the code is missed.
        let events = try await self.agent.ask(.get, "/v1/events")
        guard let number = events.json["next"]?.integer else { throw events.failure }
        // Also if the viewer leaves meanwhile: the agent goes on, and its answer says whether the code is theirs alone.
        let begun = try await self.agent.ask(
            .post, self.pairing, .object([.init("mvpd", .string(id))]), runsToItsEnd: true)
        // Another application was quicker.
        if begun.code == "already_signed_in" { return }
        guard begun.status == 200 || begun.status == 201, Self.show(begun.json, request) else { throw begun.failure }
        let followed = await request.cancelled.guarding {
            await Result { () async throws(PlatformSSOFailure) in try await self.follow(request, after: number) }
        }
        let end = request.cancelled.isGiven ? .failure(.cancelled) : followed ?? .failure(.cancelled)
        // A code that another application shows, too, stays.
        if case .failure = end, begun.status == 201 { _ = try? await self.agent.ask(.delete, self.pairing) }
        try end.get()
    }

    /// - Returns: whether there is a code to show.
    private static func show(_ pairing: JSONValue, _ request: TvProviderDialogRequest) -> Bool {
        guard let code = pairing["displayCode"]?.string,
            let url = pairing["url"]?.string ?? pairing["pageUrl"]?.string
        else { return false }
        let page = TvProviderDialogRequest.Page.signIn(url: url, code: code)
        // The first code is told twice: as the answer, and as an event.
        if request.page != page { request.turn(to: page) }
        return true
    }

    /// Returns when the box is signed in; shows each code that takes the place of another.
    private func follow(_ request: TvProviderDialogRequest, after first: Int64) async throws(PlatformSSOFailure) {
        var number = first
        while true {
            let answer = try await self.agent.ask(
                .get, "/v1/events?after=\(number)&wait=\(Self.wait)", timeout: .seconds(Self.wait + 15))
            guard answer.status == 200, let next = answer.json["next"]?.integer else { throw answer.failure }
            number = next
            for event in answer.json["events"]?.array ?? [] {
                if event["event"]?.string == "gap" {
                    // The missed events may include the end.
                    if try await self.isSignedIn(request) { return }
                } else if event["requestor"]?.string == self.requestor {
                    switch event["event"]?.string {
                    case "approved": return
                    case "code_issued": _ = Self.show(event, request)
                    case "declined", "expired", "cancelled": throw .cancelled
                    case "error": if try await self.isSignedIn(request) { return }
                    default: break
                    }
                }
            }
        }
    }

    private func isSignedIn(_ request: TvProviderDialogRequest) async throws(PlatformSSOFailure) -> Bool {
        let account = try await self.agent.ask(.get, "/v1/account")
        switch account.json["state"]?.string {
        case "signed_in": return true
        case "pairing":
            let pairing = try await self.agent.ask(.get, self.pairing)
            if pairing.status == 200 { _ = Self.show(pairing.json, request) }
            return false
        case "signed_out": throw .cancelled
        default: throw account.failure
        }
    }
}
