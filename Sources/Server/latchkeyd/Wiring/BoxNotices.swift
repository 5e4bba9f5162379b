import Clientless
package import Cryptography
package import Entitlement
import HTTPClient
import Lifecycle
package import Observability
package import OpenIDConnect
import ServerAPI

/// Tells a program of the operator's of each box that is new to its viewer, by a POST of JSON. That program decides how
/// to tell the viewer, for instance by e-mail; the link it passes on asks the viewer whether the box is theirs.
///
/// Signing in does not wait for it. Notices stand in a line of a bounded length; one that is refused or unanswered
/// three times is given up, and the log says so.
package final class BoxNotices: Service {
    /// The most that wait. Beyond that the newest are dropped: signing in goes on.
    static let mostWaiting = 1000
    /// How long is waited before the second and the third try.
    private static let pauses: [Duration] = [.seconds(2), .seconds(20)]
    private static let answerLimit = 65_536

    private let address: String
    private let token: Secret?
    private let time: Duration
    private let publicURL: String
    private let exchange: any ProviderTransport
    private let logger: Logger
    private let pause: @Sendable (Duration) async -> Void
    private let waiting: AsyncStream<AddedBox>
    private let mailbox: AsyncStream<AddedBox>.Continuation

    /// - Parameter publicURL: where viewers reach this server; without a final slash.
    package init(
        _ address: String, token: Secret?, time: Duration, publicURL: String, exchange: any ProviderTransport,
        logger: Logger,
        pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.address = address
        self.token = token
        self.time = time
        self.publicURL = publicURL
        self.exchange = exchange
        self.logger = logger.named("boxes")
        self.pause = pause
        (self.waiting, self.mailbox) = AsyncStream.makeStream(
            of: AddedBox.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    }

    /// Puts a box in line, from any thread.
    package func tell(_ box: AddedBox) {
        guard case .dropped = self.mailbox.yield(box) else { return }
        self.logger.warning("too many notices of new boxes wait, and one was dropped")
    }

    package func run() async throws {
        await StopSignal.cancelling { for await box in self.waiting { await self.send(box) } }
    }

    /// Sends one notice, three times at most.
    /// - Returns: whether it was taken.
    @discardableResult
    package func send(_ box: AddedBox) async -> Bool {
        var trouble = ""
        for pause in [Duration.zero] + Self.pauses {
            if pause > .zero { await self.pause(pause) }
            guard let fault = await self.fault(of: box) else { return true }
            trouble = fault
            if Task.isCancelled { break }
        }
        self.logger.warning("a notice of a new box could not be delivered", [.detail: .text(trouble)])
        return false
    }

    /// - Returns: what went wrong, in words that hold nothing of the notice.
    private func fault(of box: AddedBox) async -> String? {
        var request = HTTPClient.Request(
            .post, self.address, headers: ["Content-Type": "application/json"], body: self.body(of: box),
            limit: Self.answerLimit, time: self.time)
        if let token = self.token {
            request.headers["Authorization"] = "Bearer " + token.withBytes { String(decoding: $0, as: UTF8.self) }
        }
        do throws(HTTPClientError) {
            let status = try await self.exchange.send(request).status
            return (200...299).contains(status) ? nil : "the answer is \(status)"
        } catch {
            return error.reason
        }
    }

    private func body(of box: AddedBox) -> [UInt8] {
        Array(JSONLine.text(of: (box, self.publicURL), Self.shape).utf8)
    }

    /// The notice, as `deploy/contracts/new-box.openapi.json` describes it.
    private static let shape = Shape<(box: AddedBox, server: String)>(
        .init("version") { _ in 1 }, .init("event") { _ in "box-added" }, .init("account", \.box.account),
        .init("accountName", optional: \.box.accountName), .init("provider", \.box.provider.id),
        .init("providerName", \.box.provider.displayName), .init("requestor", \.box.requestor.id),
        .init("requestorName", \.box.requestor.name), .init("boxName", optional: \.box.name),
        .init("boxModel", optional: \.box.model), .init("network", optional: \.box.network),
        .init("time") { Int($0.box.time.milliseconds / 1000) },
        .init("link") { $0.server + ScreenPath.boxNotice($0.box.notice) },
        .init("boxes") { $0.server + ScreenPath.boxes })
}
