public import FoundationEssentials
import Synchronization

/// The platform's dialog, for the application that draws it (access-enabler 10.4). The same object is presented and
/// dismissed.
public final class TvProviderDialogRequest: Sendable, Identifiable {
    /// A page of the dialog.
    public enum Page: Sendable, Hashable {
        /// The providers.
        case providerList
        /// The address at which the viewer signs in, and the code to enter there.
        case signIn(url: String, code: String)
        /// Nothing to do but wait.
        case working
        /// The dialog is over.
        case finished
    }

    /// The viewer's answer.
    public enum Answer: Sendable, Hashable {
        /// A provider, by its MVPD ID.
        case provider(String)
        /// "Other TV providers".
        case other
        /// No choice.
        case cancelled
    }

    struct State {
        var page = Page.providerList
        var answer: Answer?
        var waiting: [CheckedContinuation<Answer, Never>] = []
        var isCancelled = false
        /// Those that wait for ``TvProviderDialogRequest/cancel()``, by number.
        var cancellations: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
        var observers: [Int: AsyncStream<Page>.Continuation] = [:]
    }

    /// The identity of the dialog.
    public let id: UUID
    /// The providers to list, in order.
    public let providers: [MVPD]
    /// Those to highlight.
    public let featured: [MVPD]
    let state = Mutex(State())

    /// A dialog, for the keeper of the account.
    public init(providers: [MVPD], featured: [MVPD] = []) {
        self.id = UUID()
        self.providers = providers
        self.featured = featured
    }

    /// The page to show now.
    public var page: Page { self.state.withLock { $0.page } }

    /// The page to show, now and after each change, up to and with ``Page/finished``.
    public var pages: AsyncStream<Page> {
        let (stream, continuation) = AsyncStream.makeStream(of: Page.self, bufferingPolicy: .bufferingNewest(8))
        let number = self.state.withLock { state -> Int? in
            continuation.yield(state.page)
            guard state.page != .finished else { return nil }
            state.last += 1
            state.observers[state.last] = continuation
            return state.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Turns to another page; for the keeper of the account.
    public func turn(to page: Page) {
        let observers = self.state.withLock { state in
            state.page = page
            return state.observers.sorted { $0.key < $1.key }.map(\.value)
        }
        for observer in observers {
            observer.yield(page)
            if page == .finished { observer.finish() }
        }
    }

    /// The viewer chose a provider. Only the first answer counts.
    public func choose(_ mvpdID: String) { self.answer(.provider(mvpdID)) }

    /// The viewer chose "Other TV providers". Only the first answer counts.
    public func chooseOther() { self.answer(.other) }

    /// The viewer cancelled. As an answer only the first one counts; after a choice, it gives the sign-in up that follows.
    public func cancel() {
        let waiting = self.state.withLock { state in
            state.isCancelled = true
            defer { state.cancellations = [:] }
            return state.cancellations.values.map { $0 }
        }
        for continuation in waiting { continuation.resume() }
        self.answer(.cancelled)
    }

    /// Returns when the viewer cancelled, also after a choice, or the waiting task is; for the keeper of the account.
    public func cancellation() async {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = self.state.withLock { state in
                    guard !state.isCancelled, !Task.isCancelled else { return true }
                    state.cancellations[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.cancellations.removeValue(forKey: number) }?.resume()
        }
    }

    /// The viewer's answer, for the keeper of the account; any number may wait. Ends as ``Answer/cancelled`` when the
    /// waiting task is.
    public func answer() async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = self.state.withLock { state -> Answer? in
                    if let answer = state.answer { return answer }
                    state.waiting.append(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            self.answer(.cancelled)
        }
    }

    private func answer(_ answer: Answer) {
        let waiting = self.state.withLock { state -> [CheckedContinuation<Answer, Never>] in
            guard state.answer == nil else { return [] }
            state.answer = answer
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}

extension TvProviderDialogRequest: Hashable {
    /// Whether both are the same dialog.
    public static func == (left: TvProviderDialogRequest, right: TvProviderDialogRequest) -> Bool { left === right }

    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}
