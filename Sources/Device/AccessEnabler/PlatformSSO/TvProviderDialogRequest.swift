public import FoundationEssentials
import Lifecycle

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

    /// The identity of the dialog.
    public let id: UUID
    /// The providers to list, in order.
    public let providers: [MVPD]
    /// Those to highlight.
    public let featured: [MVPD]
    let answered = OneAnswer<Answer>()
    let shown = Broadcast(backlog: 8, current: Page.providerList)
    let cancelled = StopSignal()

    /// A dialog, for the keeper of the account.
    public init(providers: [MVPD], featured: [MVPD] = []) {
        self.id = UUID()
        self.providers = providers
        self.featured = featured
    }

    /// The page to show now.
    public var page: Page { self.shown.current ?? .finished }
    /// The page to show, now and after each change, up to and with ``Page/finished``.
    public var pages: AsyncStream<Page> { self.shown.subscribe() }

    /// Turns to another page; for the keeper of the account.
    public func turn(to page: Page) {
        self.shown.send(page)
        if page == .finished { self.shown.close() }
    }

    /// The viewer chose a provider. Only the first answer counts.
    public func choose(_ mvpdID: String) { self.answered.give(.provider(mvpdID)) }
    /// The viewer chose "Other TV providers". Only the first answer counts.
    public func chooseOther() { self.answered.give(.other) }

    /// The viewer cancelled. As an answer only the first one counts; after a choice, it gives the sign-in up that follows.
    public func cancel() {
        self.cancelled.give()
        self.answered.give(.cancelled)
    }

    /// Returns when the viewer cancelled, also after a choice, or the waiting task is; for the keeper of the account.
    public func cancellation() async { await self.cancelled.wait() }

    /// The viewer's answer, for the keeper of the account; any number may wait. Ends as ``Answer/cancelled`` when the
    /// waiting task is.
    public func answer() async -> Answer {
        await withTaskCancellationHandler {
            await self.answered.value()
        } onCancel: {
            self.answered.give(.cancelled)
        }
    }
}

extension TvProviderDialogRequest: Hashable {
    /// Whether both are the same dialog.
    public static func == (left: TvProviderDialogRequest, right: TvProviderDialogRequest) -> Bool { left === right }

    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}
