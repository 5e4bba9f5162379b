import Clientless
import Synchronization
import Testing

@testable import Entitlement

private final class ScriptedPoint: DecisionPoint {
    typealias Answer = @Sendable (DecisionQuestion) throws(ProviderError) -> [Decision]

    let time: Duration = .seconds(2)
    private let answers: Mutex<Answer>
    private let asked = Mutex<[DecisionQuestion]>([])

    init(_ answer: @escaping Answer) { self.answers = Mutex(answer) }

    var questions: [DecisionQuestion] { self.asked.withLock { $0 } }

    func answer(_ answer: @escaping Answer) { self.answers.withLock { $0 = answer } }

    func decide(_ question: DecisionQuestion, now: Timestamp) async throws(ProviderError) -> [Decision] {
        self.asked.withLock { $0.append(question) }
        let answer = self.answers.withLock { $0 }
        return try answer(question)
    }
}

@Suite(
    "Decisions that are asked for elsewhere", .fixture(limits: { $0.providerHealth.patience = 2 }),
    .timeLimit(.minutes(5)))
struct DecisionPointTests {
    private static let silent: ScriptedPoint.Answer = { _ throws(ProviderError) in
        throw ProviderError(.unreachable, detail: "no answer")
    }

    private let point = ScriptedPoint { question in question.resources.map { _ in .permit } }

    init() async throws {
        let (point, providers) = (self.point, domain.configured.providers)
        domain.replace(
            ConfiguredCatalogue(
                Fixture.catalogue, providers: providers, decisionPoints: providers.mapValues { _ in point }))
        try await fixture.signedIn()
    }

    private func preauthorized(_ texts: [String]) async throws -> [Verdict] {
        try await domain.decisions.preauthorize(texts.map { Resource($0)! }, context: fixture.device("box"))
    }

    private func authorized(_ text: String, now: Timestamp = Fixture.now) async throws -> AuthZRecord {
        try await domain.decisions.authorize(Resource(text)!, context: fixture.device("box"), now: now)
    }

    private static func rated(_ rating: String) -> String {
        """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Film</title><item>\
        <title>Night</title><media:rating scheme="urn:mpaa">\(rating)</media:rating></item></channel></rss>
        """
    }

    @Test("come item by item, about the viewer by the provider's own name, and say until when they count")
    func items() async throws {
        let until = Fixture.now + .seconds(600)
        let limit = MetadataValue.map([NamedText("MPAA", "PG-13")])
        point.answer { question in
            question.resources.map { resource in
                switch resource.text {
                case "Sport": .permitted(until: until)
                case "Late": .permitted(until: Fixture.now)
                case "News": .deny(reason: "News comes with the large package.")
                case "Broken": .unanswered
                default: .restricted(to: limit, until: nil)
                }
            }
        }
        let verdicts = try await self.preauthorized(["Sport", "News", "Broken", Self.rated("r"), Self.rated("pg")])
        #expect(verdicts.map(\.denial) == [nil, .provider, .network(timeout: false), .parentalControls, nil])
        #expect(verdicts[1].decision == .deny(reason: "News comes with the large package."))
        #expect(point.questions.map(\.viewer) == ["upstream-ada"])
        #expect(point.questions.map(\.requestor) == [Fixture.requestor])
        #expect(fixture.provider.questions.isEmpty, "the sign-in is not asked")
        #expect(try await self.authorized("Sport").expires == until)
        #expect(try await self.preauthorized(["Late"]).map(\.denial) == [.provider])
        point.answer { $0.resources.map { _ in .denyByHousehold(reason: "Not now.") } }
        let refusal = await expectError(.notAuthorized) { try await self.authorized("Sport", now: until) }
        #expect(refusal?.denial == .parentalControls && refusal?.viewerMessage == "Not now.")
        #expect(try await domain.operations.decisions(of: DeviceID("box")!).isEmpty, "the permit that was over is gone")
    }

    @Test func `within the household's own limit permit nothing rated where that is not known`() async throws {
        for limit in [MetadataValue.map([]), .map([NamedText("MPAA", "PG-13")])] {
            point.answer { $0.resources.map { _ in .restricted(to: limit, needsHousehold: true, until: nil) } }
            #expect(try await self.preauthorized(["TV", Self.rated("pg")]).map(\.denial) == [nil, .parentalControls])
        }
        let ratings = try Resource(fromWire: Self.rated("pg")).ratings()
        for (name, limit, isCovered) in [("VCHIP", "tv-14", false), ("MPAA", "x13", false), ("MPAA", "g", true)] {
            #expect(ParentalControls(maxRating: .map([NamedText(name, limit)])).cover(ratings) == isCovered)
        }
    }

    @Test func `keep counting while they are not given: a kept permit, and no other channel`() async throws {
        _ = try await self.authorized("Sport")
        point.answer(Self.silent)
        #expect(try await self.authorized("Sport").resource == Resource("Sport")!)
        #expect(point.questions.count == 1, "a permit that is kept is not asked for again")
        #expect(try await self.preauthorized(["News", "Sport"]).map(\.isPermit) == [false, true])
        await expectError(.notAuthorized) { try await self.authorized("News") }
    }

    @Test("are silent for themselves: viewers go on signing in, and the silence is met at once")
    func silence() async throws {
        point.answer(Self.silent)
        for _ in 0..<3 { await expectError(.notAuthorized) { try await self.authorized("Sport") } }
        #expect(point.questions.count == 2, "the third is not asked")
        #expect(domain.decisionHealth.all[Fixture.provider]?.isShut == true)
        #expect(domain.providerHealth.all[Fixture.provider]?.isShut == false)
        try await fixture.signedIn(device: "another box")
        point.answer { question in question.resources.map { _ in .permit } }
        fixture.uptime.advance(by: .seconds(5))
        _ = try await self.authorized("Sport")
        #expect(domain.decisionHealth.all[Fixture.provider]?.isShut == false)
    }

    @Test func `that do not fit the question count for no channel`() async throws {
        point.answer { _ in [.permit] }
        #expect(try await self.preauthorized(["Sport", "News"]).map(\.isPermit) == [false, false])
    }
}
