import Clientless
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

@Suite("A provider's documents are kept")
struct KeyRotationTests {
    private func claims(_ id: String) -> JSONValue {
        .make([
            ("iss", "https://idp.example"), ("aud", "latchkey"), ("iat", .integer(TestClock.start.seconds)),
            ("sub", "v"),
            ("jti", .string(id)),
            ("events", .object([.init("http://schemas.openid.net/event/backchannel-logout", .object([]))])),
        ])
    }

    @Test func `so that a rotated key is fetched once, by the first token that names it`() async throws {
        let (old, new) = (try SigningPair.ec("old"), try SigningPair.ec("new"))
        let provider = try FakeProvider(keys: [old])
        let clock = TestClock()
        let client = provider.client(clock: clock)
        _ = try await client.backChannelLogout(try old.token(self.claims("1")))
        #expect(provider.requests("/keys").count == 1)
        try provider.publish([old, new])
        for number in 2...5 { _ = try await client.backChannelLogout(try new.token(self.claims("\(number)"))) }
        _ = try await client.backChannelLogout(try old.token(self.claims("6")))
        #expect(provider.requests("/keys").count == 2)
    }

    @Test func `so that a rotated key without an ID is fetched as well`() async throws {
        let (old, new) = (try SigningPair.rsa(nil), try SigningPair.rsa(nil))
        let provider = try FakeProvider(keys: [old])
        let client = provider.client()
        _ = try await client.backChannelLogout(try old.token(self.claims("1")))
        try provider.publish([new])
        _ = try await client.backChannelLogout(try new.token(self.claims("2")))
        #expect(provider.requests("/keys").count == 2)
    }

    @Test func `so that tokens with invented keys make one request a minute`() async throws {
        let pair = try SigningPair.ec("1")
        let provider = try FakeProvider(keys: [pair])
        let clock = TestClock()
        let client = provider.client(clock: clock)
        for second in 0..<120 {
            let token = try pair.token(
                self.claims("1"), header: [.init("alg", "ES256"), .init("kid", .string("x\(second)"))])
            let found = await fault { () throws(OpenIDConnectFault) in try await client.backChannelLogout(token) }
            #expect(found?.cause == .token(.unknownKey))
            clock.advance(by: .seconds(1))
        }
        #expect(provider.requests("/keys").count == 3)
    }

    @Test func `as long as they say within bounds, and on while the provider is down`() async throws {
        let pair = try SigningPair.ec("1")
        let provider = try FakeProvider(keys: [pair])
        try provider.publish([pair], cacheControl: "public, max-age=600")
        let clock = TestClock()
        let client = provider.client(clock: clock)
        try await client.refreshDocuments()
        clock.advance(by: .seconds(599))
        try await client.refreshDocuments()
        #expect(provider.requests("/keys").count == 1)
        provider.answer("/keys") { _ throws(HTTPClientError) in throw HTTPClientError(.timedOut) }
        clock.advance(by: .seconds(1))
        for _ in 0..<5 { _ = try await client.backChannelLogout(try pair.token(self.claims("1"))) }
        #expect(provider.requests("/keys").count == 2, "one try, and the others go on with what there is")
        clock.advance(by: .seconds(10))
        try await client.refreshDocuments()
        #expect(provider.requests("/keys").count == 3)
        clock.advance(by: .seconds(86_400))
        let found = await fault { () throws(OpenIDConnectFault) in try await client.refreshDocuments() }
        #expect(found?.trouble == .unreachable, "a day later old keys count no more")
    }

    @Test func `and are not asked for again at once when there are none`() async throws {
        let provider = try FakeProvider(keys: [])
        let error = HTTPClientError(.unreachable)
        provider.answer("/.well-known/openid-configuration") { _ throws(HTTPClientError) in throw error }
        let clock = TestClock()
        let client = provider.client(clock: clock)
        for _ in 0..<10 {
            let found = await fault { () throws(OpenIDConnectFault) in try await client.metadata() }
            #expect(found == OpenIDConnectFault(.discovery, .exchange(error)))
        }
        #expect(provider.requests("/.well-known/openid-configuration").count == 1)
        clock.advance(by: .seconds(10))
        provider.publish(metadata: FakeProvider.metadata())
        _ = try await client.metadata()
    }

    @Test func `by one request for all who wait for it`() async throws {
        let started = Signal<Void>()
        let opened = Signal<Void>()
        let count = Mutex(0)
        let cancelled = OpenIDConnectFault(.keys, .exchange(HTTPClientError(.cancelled)))
        let document = CachedDocument<Int, OpenIDConnectFault>(cancelled: cancelled, now: { .zero }) {
            () throws(OpenIDConnectFault) in
            count.withLock { $0 += 1 }
            started.send(())
            _ = await opened.next()
            return (7, nil)
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await document.current().value } }
            _ = await started.next()
            let impatient = Task { try await document.current().value }
            impatient.cancel()
            await #expect(throws: cancelled) { try await impatient.value }
            opened.send(())
            for try await value in group { #expect(value == 7) }
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("max-age=60", 60), ("public, Max-Age=\"60\"", 60), ("no-store", 0),
            ("max-age", nil),
            ("max-age=-1", nil), ("max-age=99999999999999999999", nil), ("s-maxage=5", nil), ("private, no-cache", 0),
        ] as [(String?, Int?)])
    func `for as long as a header says`(header: String?, seconds: Int?) {
        #expect(CacheLife.read(header) == seconds.map { .seconds($0) })
    }
}
