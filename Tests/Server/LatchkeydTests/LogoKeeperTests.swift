import Clientless
import FoundationEssentials
import HTTPClient
import Observability
import ServerAPI
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect
@testable import latchkeyd

@Suite("The keeper of logos")
struct LogoKeeperTests {
    /// Servers of pictures, by address, and what was asked of them.
    private final class Hosts: ProviderTransport {
        let answers = Mutex<[String: HTTPClient.Response]>([:])
        let asked = Mutex<[HTTPClient.Request]>([])
        /// What happens while an answer is under way.
        let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

        func serve(_ bytes: [UInt8], status: Int = 200, at address: String) {
            self.answers.withLock { $0[address] = HTTPClient.Response(status: status, body: bytes) }
        }

        func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
            self.asked.withLock { $0.append(request) }
            self.meanwhile.withLock { $0 }?()
            guard let answer = self.answers.withLock({ $0[request.url] })
            else { throw HTTPClientError(.unreachable, curlCode: 6) }
            return answer
        }
    }

    private final class Surroundings: Sendable {
        let hosts = Hosts()
        let uptime = Mutex(Duration.zero)
        let lines = Mutex<[String]>([])

        func keeper() -> LogoKeeper {
            LogoKeeper(
                self.hosts,
                logger: Logger(
                    component: "test", sink: LogSink { line in self.lines.withLock { $0.append(line) } },
                    clock: { 0 }),
                uptime: { self.uptime.withLock { $0 } })
        }

        func advance(by duration: Duration) { self.uptime.withLock { $0 += duration } }

        var said: [String] { self.lines.withLock { $0 } }

        var questions: Int { self.hosts.asked.withLock { $0.count } }
    }

    private static let nova = MVPDID("CableNova")!
    private static let dish = MVPDID("DishNova")!
    private static let brand = RequestorID("NORTHSPORT")!
    private static let address = "https://nova.example/logo.png"

    private static func shown(_ keeper: LogoKeeper, _ mvpd: MVPDID) -> [UInt8]? {
        keeper.shelf.picture(of: mvpd, for: self.brand)?.bytes
    }

    @Test func `takes logos from files and addresses, once, and again when it is told to`() async throws {
        let (surroundings, folder) = (Surroundings(), try TemporaryFolder())
        let keeper = surroundings.keeper()
        surroundings.hosts.serve(SamplePicture.png(), at: Self.address)
        try Data(SamplePicture.svg()).write(to: URL(filePath: folder.file("dish.png")))
        let sources: [LogoPlace: LogoSource] = [
            LogoPlace(Self.nova): .address(Self.address), LogoPlace(Self.dish): .file(folder.file("dish.png")),
        ]
        keeper.follow(sources)
        #expect(Self.shown(keeper, Self.nova) == nil)
        await keeper.fetchDue()
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.png())
        #expect(Self.shown(keeper, Self.dish) == SamplePicture.svg())
        surroundings.advance(by: .seconds(86_400))
        await keeper.fetchDue()
        #expect(surroundings.questions == 1)
        surroundings.hosts.serve(SamplePicture.webP(), at: Self.address)
        keeper.follow(sources)
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.png())
        await keeper.fetchDue()
        #expect(surroundings.questions == 2)
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.webP())
        #expect(surroundings.said.isEmpty)
        let asked = try #require(surroundings.hosts.asked.withLock { $0.first })
        #expect(asked.responseLimit == LogoShelf.maximumSize && asked.timeout == .seconds(10))
    }

    @Test func `shows a requestor its own`() async throws {
        let surroundings = Surroundings()
        let keeper = surroundings.keeper()
        surroundings.hosts.serve(SamplePicture.png(), at: Self.address)
        surroundings.hosts.serve(SamplePicture.svg(), at: "https://sport.example/logo")
        keeper.follow([
            LogoPlace(Self.nova): .address(Self.address),
            LogoPlace(Self.nova, for: Self.brand): .address("https://sport.example/logo"),
        ])
        await keeper.fetchDue()
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.svg())
    }

    @Test func `tries again what cannot be had, ever more seldom, and says it once`() async throws {
        let surroundings = Surroundings()
        let keeper = surroundings.keeper()
        keeper.follow([LogoPlace(Self.nova, for: Self.brand): .address(Self.address)])
        for seconds in [0, 59, 1, 119, 1] {
            surroundings.advance(by: .seconds(seconds))
            await keeper.fetchDue()
        }
        #expect(surroundings.questions == 3)
        #expect(surroundings.said.count == 1)
        #expect(surroundings.said[0].contains("a logo could not be fetched"))
        #expect(surroundings.said[0].contains("the name of the host does not resolve"))
        #expect(surroundings.said[0].contains("CableNova") && surroundings.said[0].contains("NORTHSPORT"))
        surroundings.hosts.serve([], status: 302, at: Self.address)
        surroundings.advance(by: .seconds(240))
        await keeper.fetchDue()
        #expect(surroundings.said.last?.contains("the answer has the status 302") == true)
        for _ in 0..<10 {
            surroundings.advance(by: .seconds(3600))
            await keeper.fetchDue()
        }
        #expect(surroundings.questions == 14 && surroundings.said.count == 2)
        surroundings.hosts.serve(SamplePicture.png(), at: Self.address)
        surroundings.advance(by: .seconds(3600))
        await keeper.fetchDue()
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.png())
        #expect(surroundings.said.last?.contains("a logo that was missing is there now") == true)
    }

    @Test("keeps no picture that pages cannot show, and the one it has until there is a better one")
    func refused() async throws {
        let surroundings = Surroundings()
        let keeper = surroundings.keeper()
        let sources: [LogoPlace: LogoSource] = [LogoPlace(Self.nova): .address(Self.address)]
        surroundings.hosts.serve(SamplePicture.svg(), at: Self.address)
        keeper.follow(sources)
        await keeper.fetchDue()
        surroundings.hosts.serve(Array("GIF89a".utf8), at: Self.address)
        keeper.follow(sources)
        await keeper.fetchDue()
        #expect(surroundings.said.count == 1)
        #expect(surroundings.said[0].contains("a logo that no page can show"))
        #expect(surroundings.said[0].contains("it is neither PNG, WebP nor SVG"))
        #expect(Self.shown(keeper, Self.nova) == SamplePicture.svg())
        keeper.follow([LogoPlace(Self.nova): .address("https://other.example/logo.png")])
        #expect(Self.shown(keeper, Self.nova) == nil)
    }

    @Test func `shows nothing that arrives for a configuration which is over`() async throws {
        let surroundings = Surroundings()
        let keeper = surroundings.keeper()
        surroundings.hosts.serve(SamplePicture.png(), at: Self.address)
        surroundings.hosts.meanwhile.withLock { $0 = { keeper.follow([:]) } }
        keeper.follow([LogoPlace(Self.nova): .address(Self.address)])
        await keeper.fetchDue()
        #expect(surroundings.questions == 1)
        #expect(Self.shown(keeper, Self.nova) == nil && surroundings.said.isEmpty)
    }
}
