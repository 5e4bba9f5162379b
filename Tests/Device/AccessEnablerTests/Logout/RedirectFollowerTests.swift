import TestSupport
import Testing

@testable import AccessEnabler

@Suite("A redirect follower")
struct RedirectFollowerTests {
    private func place(_ url: String) throws -> WebPlace { try #require(WebPlace(url)) }

    @Test func `never walks from https to http`() throws {
        let first = try self.place("https://a.example/logout")
        #expect(try !self.place("http://a.example/next").mayFollow(first, from: first))
        #expect(try self.place("https://b.example/next").mayFollow(first, from: first))
        let plain = try self.place("http://a.example/")
        #expect(try self.place("https://b.example/").mayFollow(plain, from: plain))
    }

    @Test(arguments: [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "[::1]", "[::]", "[fd00::1]", "[fe80::1]", "[::ffff:10.0.0.1]", "localhost", "LocalHost.",
        "router.local", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "1.2.3.4.5", "256.1.1.1", "127.0.0.0x1",
        "127.0.0.%31", "127.0.0.\u{FF11}", "[0:0:0:0:0:0:0:1]", "[0::1]", "[::127.0.0.1]",
    ])
    func `never walks into the own network`(host: String) throws {
        let first = try self.place("https://a.example/logout")
        #expect(try !self.place("https://\(host)/x").mayFollow(first, from: first))
        #expect(try !self.place("https://\(host):8443/x").mayFollow(first, from: first))
        // A service on the box itself, or in the household, may lead to itself.
        let own = try self.place("http://\(host):8080/logout")
        #expect(try self.place("http://\(host):8080/x").mayFollow(own, from: own))
    }

    @Test(arguments: ["8.8.8.8", "172.32.0.1", "[2001:db8::1]", "fd.example", "1.example"])
    func `walks to addresses and names of the web`(host: String) throws {
        let first = try self.place("https://a.example/logout")
        #expect(try self.place("https://\(host)/x").mayFollow(first, from: first))
    }

    @Test func `takes relative locations, and nothing but the web`() throws {
        let place = try self.place("HTTPS://A.example:444/a?b#c")
        #expect(place.host == "a.example" && place.isSecure)
        #expect(place.following("/x")?.url == "HTTPS://A.example:444/x")
        #expect(place.following("//b.example/x")?.url == "https://b.example/x")
        #expect(place.following("x") == nil)
        for url in ["ftp://a/", "https://", "https:///x", "https://u@a.example/", "https://[::1/", "", "javascript:x"] {
            #expect(WebPlace(url) == nil)
        }
    }

    @Test func `takes a host that only begins like the awaited one for another`() {
        let prefix = AccessEnabler.RedirectURL.adobePass
        #expect(isCompletion(prefix, of: prefix) && isCompletion(prefix.uppercased() + "?a=b", of: prefix))
        for end in ["x", ".evil.example", "-a"] {
            let bare = prefix.last == "/" ? String(prefix.dropLast()) : prefix
            #expect(!isCompletion(bare + end, of: bare))
        }
        #expect(!isCompletion("adobepass://ios.apple", of: "adobepass://ios.app"))
    }

    private func end(
        of url: String, _ configuration: AccessEnabler.Configuration = .init()
    ) async -> AccessEnabler.RedirectFollower.End {
        let request = AccessEnabler.NavigationRequest(
            url: url, purpose: .logout, isVisible: false, secureBrowserRequired: false,
            completionURLPrefix: "adobepass://ios.app")
        return await AccessEnabler.RedirectFollower(configuration: configuration).follow(request)
    }

    @Test("trusts the authorities of the application", .timeLimit(.minutes(5)))
    func authorities() async throws {
        let server = try await TLSServer()
        #expect(await self.end(of: server.url) == .failed)
        var configuration = AccessEnabler.Configuration()
        configuration.certificateAuthorityFile = server.certificate
        // A page, which leads nowhere.
        #expect(await self.end(of: server.url, configuration) == .stopped)
        configuration.logoutNavigationTimeout = .zero
        #expect(await self.end(of: server.url, configuration) == .failed, "no time is left")
    }

    @Test("stops before the completion URL is requested, and where it must not go", .timeLimit(.minutes(5)))
    func walk() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/done": .response(302, headers: ["Location": "adobepass://ios.app?x=1"])
            case "/near": .response(302, headers: ["Location": "adobepass://ios.apple"])
            case "/lan": .response(302, headers: ["Location": "http://192.168.0.1/"])
            default: .response(302, headers: ["Location": "/done"])
            }
        }
        var ends: [AccessEnabler.RedirectFollower.End] = []
        for path in ["/", "/near", "/lan"] { ends.append(await self.end(of: server.url + path)) }
        #expect(ends == [.completed(url: "adobepass://ios.app?x=1"), .stopped, .stopped])
        #expect(server.requests.map(\.path) == ["/", "/done", "/near", "/lan"])
    }
}
