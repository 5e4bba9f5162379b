import AccessEnabler
import AccessEnablerTesting
import FoundationEssentials
import Testing

// An application has types of its own under everyday names. None of them stands in the library's way, nor the reverse.

struct Configuration { var server: String }
struct Environment { var name: String }
struct Credentials { var user: String }
struct MediaToken { var text: String }
struct RegistrationCode { var digits: String }
struct VendorGroup { var members: [String] }
struct ClientInformation { var name: String }
struct AuthorizationFailure: Error { var reason: String }
struct TokenStoreError: Error {}
enum AuthenticationOutcome { case welcome }
enum TrackingEvent { case play }
enum OptionKey { case volume }
protocol TokenStore { var count: Int { get } }
struct MemoryStore: TokenStore { var count = 0 }
let INTERNAL_ERROR = 500

@Suite("An application with names of its own", .timeLimit(.minutes(5)))
struct OwnNamesTests {
    private let service = FakeService()

    @Test func `names the library's types beside its own, each by its name within the actor`() async throws {
        let own = Configuration(server: Environment(name: "https://own.invalid").name)
        let server = try #require(URL(string: own.server))
        var configuration: AccessEnabler.Configuration = self.service.configuration()
        #expect(configuration.environment != AccessEnabler.Environment(production: server))
        configuration.tokenStore = AccessEnabler.MemoryStore()
        configuration.vendorGroup = AccessEnabler.VendorGroup(identifier: "example", deviceScope: "example")
        configuration.clientInformation = AccessEnabler.ClientInformation()
        configuration.clientInformation.name = ClientInformation(name: "Living room").name
        let credentials: AccessEnabler.Credentials? = .softwareStatement(Credentials(user: "a.b.c").user)
        let enabler = AccessEnabler(credentials: credentials, configuration: configuration)
        let isWelcome: (AccessEnabler.AuthenticationOutcome) -> AuthenticationOutcome? = {
            if case .authenticated = $0 { .welcome } else { nil }
        }
        enabler.setOptions([AccessEnabler.OptionKey.visitorID: .string("\(OptionKey.volume)")])

        try await enabler.configure(requestorID: "NORTHSPORT")
        await enabler.selectProvider("CableNova")
        async let outcome = enabler.authenticate()
        let shown = RegistrationCode(digits: await self.service.codeOnShow())
        self.service.signIn(at: "CableNova")
        #expect(isWelcome(await outcome) == .welcome && !shown.digits.isEmpty)
        let token: AccessEnabler.MediaToken = try await enabler.authorize("News")
        #expect(MediaToken(text: token.resource).text == "News")
        self.service.deny("Sport")
        do throws(AccessEnabler.AuthorizationFailure) {
            _ = try await enabler.authorize("Sport")
            Issue.record("permitted")
        } catch {
            #expect(!AuthorizationFailure(reason: error.description).reason.isEmpty)
        }
        #expect(AccessEnabler.TrackingEvent.authentication == 0 && TrackingEvent.play == .play)
        #expect(MemoryStore().count == 0 && INTERNAL_ERROR == 500)
        await enabler.shutDown()
    }
}
