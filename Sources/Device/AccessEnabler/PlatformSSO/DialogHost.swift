import Synchronization

/// Hands the platform's dialog to the application. Its dismissal is reported once, before anything that follows, also
/// when the flow takes another turn while the dialog is up (access-enabler 10.4).
final class DialogHost: TvProviderDialogHost {
    private let reporter: EventDelivery
    private let state = Mutex<(shown: TvProviderDialogRequest?, isOver: Bool)>((nil, false))

    init(_ reporter: EventDelivery) { self.reporter = reporter }

    func present(_ request: TvProviderDialogRequest) async {
        let isShown = self.state.withLock { state in
            guard !state.isOver, state.shown == nil else { return false }
            state.shown = request
            // Inside the lock: the dismissal must not overtake it.
            self.reporter.report(.presentTvProviderDialog(request))
            return true
        }
        if !isShown { request.cancel() }
    }

    func dismiss(_ request: TvProviderDialogRequest) async {
        self.state.withLock { state in
            guard state.shown === request else { return }
            state.shown = nil
            self.reporter.report(.dismissTvProviderDialog(request))
        }
    }

    /// Takes the dialog off the screen, and shows none from now on.
    func end() {
        let shown = self.state.withLock { state in
            state.isOver = true
            defer { state.shown = nil }
            if let shown = state.shown { self.reporter.report(.dismissTvProviderDialog(shown)) }
            return state.shown
        }
        shown?.cancel()
    }
}
