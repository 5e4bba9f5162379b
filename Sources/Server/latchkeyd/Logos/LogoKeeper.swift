import Clientless
import Entitlement
import Lifecycle
import Observability
import OpenIDConnect
import ServerAPI
import Synchronization

/// Takes over the logos of providers, and keeps them on the shelf that the faces serve them from: after the start and
/// whenever the configuration was read again, and later those that could not be had. The server does not wait for it.
final class LogoKeeper: Service {
    private struct Entry {
        let source: LogoSource
        /// When it is fetched; `nil` once it is there.
        var due: Duration?
        /// How long the next failure makes it wait.
        var pause = LogoKeeper.firstPause
        var fault: LogoFault?
    }

    private typealias Wish = (place: LogoPlace, source: LogoSource)

    private static let firstPause: Duration = .seconds(60)
    private static let longestPause: Duration = .seconds(3600)
    private static let interval: Duration = .seconds(30)
    /// How many are fetched at once: a silent server holds up its own place alone.
    private static let atOnce = 16
    private static let noRoom = LogoFault(
        description: "all logos together have more than \(LogoShelf.maximumTotal) bytes")

    let shelf = LogoShelf()
    private let reader: LogoReader
    private let logger: Logger
    private let uptime: Uptime
    private let entries = Mutex<[LogoPlace: Entry]>([:])
    private let requests: AsyncStream<Void>
    private let mailbox: AsyncStream<Void>.Continuation

    init(_ exchange: any ProviderTransport, logger: Logger, uptime: @escaping Uptime) {
        self.reader = LogoReader(exchange: exchange)
        self.logger = logger.named("logos")
        self.uptime = uptime
        // Several requests while one is under way are one.
        (self.requests, self.mailbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Keeps the logos of these places, and fetches each anew. A place keeps its logo until then, if it is still taken
    /// from the same source.
    func follow(_ sources: [LogoPlace: LogoSource]) {
        let now = self.uptime()
        self.entries.withLock { entries in
            let kept = sources.filter { entries[$0.key]?.source == $0.value }
            entries = sources.mapValues { Entry(source: $0, due: now) }
            self.shelf.keep(Set(kept.keys))
        }
        self.mailbox.yield(())
    }

    func run() async throws {
        await StopSignal.cancelling {
            async let _: Void = {
                while (try? await Task.sleep(for: Self.interval)) != nil { self.mailbox.yield(()) }
            }()
            for await _ in self.requests { await self.fetchDue() }
        }
    }

    /// Fetches what is due, files first: they make nothing wait.
    func fetchDue() async {
        let now = self.uptime()
        let due = self.entries.withLock { entries in
            entries.compactMap { place, entry -> Wish? in
                guard let due = entry.due, due <= now else { return nil }
                return (place, entry.source)
            }
        }
        var waiting = (due.filter { $0.source.file != nil } + due.filter { $0.source.file == nil }).makeIterator()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.atOnce {
                guard let wish = waiting.next() else { break }
                group.addTask { await self.fetch(wish) }
            }
            while await group.next() != nil {
                guard let wish = waiting.next() else { continue }
                group.addTask { await self.fetch(wish) }
            }
        }
    }

    private func fetch(_ wish: Wish) async {
        let result: Result<Picture, LogoFault>
        do throws(LogoFault) {
            result = .success(try await self.reader.picture(from: wish.source))
        } catch {
            result = .failure(error)
        }
        guard !Task.isCancelled else { return }
        let now = self.uptime()
        let news: (old: LogoFault?, new: LogoFault?)? = self.entries.withLock { entries in
            // The configuration may be another by now.
            guard var entry = entries[wish.place], entry.source == wish.source else { return nil }
            let old = entry.fault
            switch result {
            case .success(let picture): entry.fault = self.shelf.put(picture, at: wish.place) ? nil : Self.noRoom
            case .failure(let fault): entry.fault = fault
            }
            if entry.fault == nil {
                entry.due = nil
            } else {
                entry.due = now + entry.pause
                entry.pause = min(entry.pause * 2, Self.longestPause)
            }
            entries[wish.place] = entry
            return (old, entry.fault)
        }
        guard let news, news.old != news.new else { return }
        self.say(news.new, wish.place)
    }

    private func say(_ fault: LogoFault?, _ place: LogoPlace) {
        var facts: LogFacts = [.provider: .text(place.mvpd.text)]
        if let requestor = place.requestor { facts[.requestor] = .text(requestor.text) }
        guard let fault else { return self.logger.notice("a logo that was missing is there now", facts) }
        facts[.detail] = .text("\(fault)")
        self.logger.warning(fault.isOfPicture ? "a logo that no page can show" : "a logo could not be fetched", facts)
    }
}
