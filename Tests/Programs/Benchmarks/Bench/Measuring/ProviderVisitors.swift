import RealPrograms
import Synchronization

/// Viewers who sign in at TV providers of one server, each from an address of its own and for a box of its own.
final class ProviderVisitors: Sendable {
    static let openID = "BenchTV"
    static let saml = "BenchSAML"
    /// Another one with OpenID Connect, at which no one's time is measured.
    static let other = "OtherTV"

    /// A viewer who has yet to press the button of a provider.
    struct Turn: Sendable {
        fileprivate let phone: Phone
        fileprivate let picker: Phone.Page
        fileprivate let viewer: Viewer

        /// Whatever the answer is, and however long it takes.
        func take() async { _ = try? await self.phone.goOn(from: self.picker, as: self.viewer) }
    }

    let server: BenchServer
    private let boxes: [BenchServer.Box]
    private let next = Mutex(0)

    /// Creates the codes of `count` boxes; when that fails, it stops the server.
    convenience init(_ count: Int, at server: BenchServer, in folder: String) async throws {
        do {
            self.init(try await server.createCodes(count, in: folder), at: server)
        } catch {
            await server.stop()
            throw error
        }
    }

    init(_ boxes: [BenchServer.Box], at server: BenchServer) {
        self.boxes = boxes
        self.server = server
    }

    /// Signs `count` viewers in, one after the other.
    /// - Returns: milliseconds from the code's page to the confirmed box, for each.
    func signIn(_ count: Int, at provider: String) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<count {
            let (phone, page) = try self.arrival()
            let begun = ContinuousClock.now
            let away = try await phone.walkToProvider(from: page, as: Self.viewer(of: provider))
            let question =
                provider == Self.saml
                ? try await self.comeBackByForm(phone, from: away)
                : try await phone.open(StubProvider.answer(to: away, at: "\(self.server.url)/sp/login/\(provider)"))
            _ = try await phone.decide(.confirm, on: question)
            times.append(ContinuousClock.now.milliseconds(since: begun))
        }
        return times
    }

    /// Walks to the list of providers, for ``other``.
    func comeToOther() async throws -> Turn {
        let (phone, url) = try self.arrival()
        let viewer = Self.viewer(of: Self.other)
        var page = try await phone.open(url)
        if page.form(having: "mvpd") == nil { page = try await phone.goOn(from: page, as: viewer) }
        guard page.form(having: "mvpd") != nil
        else { throw NotMeasured(description: "no list of providers on \(page.summary)") }
        return Turn(phone: phone, picker: page, viewer: viewer)
    }

    /// - Returns: what `work` returns, and how many milliseconds of the server's processor time it took.
    func costs<Value>(of work: () async throws -> Value) async throws -> (Value, Double) {
        let before = try ProcessFacts.processorTime(of: self.server.running.pid)
        let value = try await work()
        return (value, (try ProcessFacts.processorTime(of: self.server.running.pid) - before) * 1000)
    }

    /// A viewer with the next box, and where its code leads.
    private func arrival() throws -> (Phone, String) {
        let number = self.next.withLock { next in
            defer { next += 1 }
            return next
        }
        guard number < self.boxes.count else { throw NotMeasured(description: "there are too few boxes") }
        // A household's network each: failed tries of one do not count for another.
        let phone = Phone(behindProxyAt: LoadFiles.address(number << 8 | 1))
        return (phone, "\(self.server.url)/activate?code=\(self.boxes[number].code)")
    }

    private func comeBackByForm(_ phone: Phone, from address: String) async throws -> Phone.Page {
        let answer = try await phone.open(address)
        guard let form = answer.form(having: "SAMLResponse")
        else { throw NotMeasured(description: "the provider does not answer: \(answer.summary)") }
        return try await phone.submit(form, of: answer)
    }

    private static func viewer(of provider: String) -> Viewer {
        Viewer(account: "", password: "", provider: provider)
    }
}
