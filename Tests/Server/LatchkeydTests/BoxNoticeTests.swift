import Clientless
import Cryptography
import FoundationEssentials
import HTTPClient
import Observability
import Synchronization
import TestSupport
import Testing

@testable import Entitlement
@testable import OpenIDConnect
@testable import latchkeyd

@Suite("A notice of a new box")
struct BoxNoticeTests {
    private static let box: AddedBox = (
        account: "ada", accountName: nil, provider: MVPD(id: MVPDID("CableNova")!, displayName: "Cable Nova"),
        requestor: Requestor(
            id: RequestorID("NORTHSPORT")!, name: "North Sport", integrations: [], strictness: .strict),
        name: "Living \"room\"", model: nil, network: "192.0.2.0", time: Timestamp(milliseconds: 1_767_277_920_000),
        notice: "ab-cd"
    )

    private static func notices(_ network: Network, pauses: Notes<Duration> = Notes()) -> BoxNotices {
        BoxNotices(
            "https://mail.example/new-box", token: Secret("t0ken"), time: .seconds(5), publicURL: "https://tv.example",
            exchange: network, logger: .silent, pause: { pauses.add($0) })
    }

    @Test func `says which box, whose, and where the viewer can say that it was not they`() async throws {
        let network = Network([204])
        #expect(await Self.notices(network).send(Self.box))
        let request = try #require(network.requests.first)
        #expect(request.url == "https://mail.example/new-box" && request.timeout == .seconds(5))
        #expect(request.headers["Authorization"] == "Bearer t0ken")
        let body = try #require(request.body)
        let said = String(decoding: body, as: UTF8.self)
        #expect(
            said == #"{"account":"ada","boxName":"Living \"room\"","boxes":"https://tv.example/boxes","#
                + #""event":"box-added","link":"https://tv.example/boxes/new?notice=ab-cd","network":"192.0.2.0","#
                + #""provider":"CableNova","providerName":"Cable Nova","requestor":"NORTHSPORT","#
                + #""requestorName":"North Sport","time":1767277920,"version":1}"#)
    }

    @Test func `is described member by member to those who take it`() throws {
        let file = try Data(contentsOf: URL(filePath: "deploy/contracts/new-box.openapi.json"))
        let document = try JSONDecoder().decode(Description.self, from: file)
        let described = try #require(document.components.schemas["Notice"]?.properties)
        let sent = [
            "version", "event", "account", "accountName", "provider", "providerName", "requestor", "requestorName",
            "boxName", "boxModel", "network", "time", "link", "boxes",
        ]
        #expect(Set(described.keys) == Set(sent))
    }

    private struct Description: Decodable {
        struct Components: Decodable {
            let schemas: [String: Schema]
        }

        struct Schema: Decodable {
            let properties: [String: Property]
        }

        struct Property: Decodable {}

        let components: Components
    }

    @Test func `is sent again when it is not taken, and given up after three times`() async {
        let pauses = Notes<Duration>()
        let better = Network([500, 204])
        #expect(await Self.notices(better, pauses: pauses).send(Self.box))
        #expect(better.requests.count == 2 && pauses.all == [.seconds(2)])
        let never = Network([nil, 404, 503])
        #expect(await Self.notices(never).send(Self.box) == false)
        #expect(never.requests.count == 3)
    }

    @Test func `is off unless an address is set, which has to be a safe one`() throws {
        #expect(try configuration(smallConfiguration).boxes.newBox == nil)
        func text(_ newBox: String) -> String {
            smallConfiguration.replacing("server: {", with: "boxes: { newBox: { \(newBox) } }, server: {")
        }
        let settings = try configuration(text("address: 'https://mail.example/new-box', token: 'box.token'")).boxes
        let newBox = try #require(settings.newBox)
        #expect(newBox.time == .seconds(5) && newBox.files.map(\.name) == ["box.token"])
        for wrong in ["address: 'http://mail.example/new-box'", "token: 'box.token'", "address: 'mail'", "x: 1"] {
            #expect(!faults(of: text(wrong)).isEmpty, "\(wrong)")
        }
    }

    @Test func `and codes that are read out are off unless a requestor allows them`() throws {
        #expect(try configuration(smallConfiguration).catalogue.requestors[0].takesReadOutCodes == false)
        let text = smallConfiguration.replacing(
            #"name: "North Sport","#, with: #"name: "North Sport", takesReadOutCodes: true,"#)
        #expect(try configuration(text).catalogue.requestors[0].takesReadOutCodes)
    }
}

/// Answers with the given statuses, `nil` with none, and keeps what was sent.
private final class Network: ProviderTransport {
    private let answers: Mutex<[Int?]>
    private let sent = Mutex<[HTTPClient.Request]>([])

    init(_ answers: [Int?]) { self.answers = Mutex(answers) }

    var requests: [HTTPClient.Request] { self.sent.withLock { $0 } }

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        self.sent.withLock { $0.append(request) }
        guard let status = self.answers.withLock({ answers -> Int? in answers.isEmpty ? nil : answers.removeFirst() })
        else { throw HTTPClientError(.unreachable) }
        return HTTPClient.Response(status: status, body: [])
    }
}
