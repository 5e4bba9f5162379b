import Clientless
import Entitlement
import HTTPServer
import Testing

@testable import ServerAPI

@Suite("An endpoint")
struct EndpointTests {
    private static let all =
        RESTv1.all.map(\.facts) + SDKServices.all.map(\.facts) + ClientRegistration.all.map(\.facts)
        + OAuth.all.map(\.facts)
        + Callbacks.all.map(\.facts)
        + Management.all.map(\.facts) + ServiceEndpoints.all.map(\.facts) + SecondScreen.pages.map(\.facts)
        + SecondScreen.passkeyEndpoints.map(\.facts)

    private static let addresses = CallerAddresses(APISettings(publicURL: "http://tve.example.net"))

    private static func call(_ target: String) -> Call {
        Call(
            HTTPRequest(method: .get, target: target), of: RESTv1.pollEndpoints[0].facts,
            now: Timestamp(milliseconds: 0))
    }

    @Test func `lets its handler read the fields it declares, and no other`() async {
        #expect(Self.call("/?requestor=a&format=json").parameters["format"] == "json")
        #expect(Self.call("/?requestor=a").requestorName == Array("a".utf8)[...])
        await #expect(processExitsWith: .failure) {
            _ = EndpointTests.call("/?secret=1").parameters["secret"]
        }
        await #expect(processExitsWith: .failure) {
            _ = EndpointTests.call("/?secret=1").parameters.all("secret")
        }
    }

    @Test func `lets its handler answer with the statuses it declares, and no other`() async {
        RESTv1.pollEndpoints[0].facts.check(HTTPResponse(status: .forbidden))
        await #expect(processExitsWith: .failure) {
            RESTv1.pollEndpoints[0].facts.check(HTTPResponse(status: .conflict))
        }
    }

    @Test func `tries codes for a stranger only where it counts guesses`() async {
        #expect(Self.call("/").guesser(Self.addresses, server: nil).address == .local)
        await #expect(processExitsWith: .failure) {
            let request = HTTPRequest(method: .get, target: "/")
            let call = Call(request, of: RESTv1.metadataEndpoints[0].facts, now: Timestamp(milliseconds: 0))
            _ = call.guesser(EndpointTests.addresses, server: nil)
        }
    }

    @Test func `that names a code without a credential counts guesses`() {
        for facts in Self.all {
            guard case .everybody = facts.access else { continue }
            let namesCode =
                facts.calls.contains { $0.path.contains("{code}") }
                || facts.fields.contains { $0.name == "reg_code" || $0.text.hasPrefix("The code") }
            #expect(!namesCode || facts.limits.codes != .notTried, "\(facts.name)")
        }
    }

    @Test("takes bodies of 16 KiB where browsers and registrations send them, and up to 171 for what providers say")
    func bodies() {
        for facts in Self.all {
            let takesSAML = facts.fields.contains { $0.name == "SAMLResponse" } && facts.calls[0].method == .post
            switch facts.limits.rate {
            case _ where takesSAML: #expect(facts.bodyLimit.rawValue == 171 * 1024, "\(facts.name)")
            case .notices: #expect(facts.bodyLimit.rawValue <= 64 * 1024, "\(facts.name)")
            case .browsers, .unlimited: #expect(facts.bodyLimit.rawValue == 16 * 1024, "\(facts.name)")
            case .devices, .operators: #expect(facts.bodyLimit.rawValue <= 128 * 1024, "\(facts.name)")
            }
            if facts.tag == .registration { #expect(facts.bodyLimit == .page) }
        }
        #expect(Self.all.count > 50)
    }

    @Test func `has one path and method of its own`() {
        let labels = Self.all.flatMap(\.calls).map { "\($0.method.text) \($0.path)" }
        #expect(labels.count == Set(labels).count)
    }
}
