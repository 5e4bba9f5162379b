// A service for the tests of applications.
//
// An application that uses AccessEnabler is tested against a `FakeService`: it answers in memory what a server would
// answer over the network, and the test plays viewer, provider and operator. No socket, no file, no waiting.
//
// It leaves to its neighbours: the library under it is the real one, with its real rules. It is no server: nothing
// is signed, and nothing is checked that a box could do wrong on the wire.

public import AccessEnabler
import FoundationEssentials
import HTTPClient
import Lifecycle
import Synchronization

/// An entitlement service in memory, for tests of applications. The test plays viewer, provider and operator.
///
/// Make one for each test, give its ``configuration(applicationID:)`` to the application, and say what happens:
/// ``codeOnShow()``, then ``signIn(at:)`` or ``decline()``. Answers to "signed in yet?" are held until something
/// happens, so no test waits for a clock.
public final class FakeService: Sendable {
    /// A TV provider that the service offers.
    public struct Provider: Sendable, Hashable {
        /// The identifier that the application selects it by: letters, digits, `_` and `-`.
        public let id: String
        /// The name that viewers know it by.
        public let displayName: String

        /// A provider.
        public init(id: String, displayName: String) {
            self.id = id
            self.displayName = displayName
        }
    }

    let state: Mutex<State>

    /// A service with these providers; every requestor is known to it.
    public init(
        providers: [Provider] = [
            Provider(id: "CableNova", displayName: "Cable Nova"), Provider(id: "SatOne", displayName: "Sat One"),
        ]
    ) {
        self.state = Mutex(State(providers: providers))
    }

    /// A configuration whose library speaks to this service, keeps its tokens in memory, and reports at once.
    /// Everything may be changed but ``AccessEnabler/Configuration/environment``.
    public func configuration(applicationID: String = "com.example.application") -> AccessEnabler.Configuration {
        var configuration = AccessEnabler.Configuration(applicationID: applicationID)
        configuration.environment = Self.environment
        configuration.tokenStore = AccessEnabler.MemoryStore()
        configuration.callbackDispatcher = AccessEnabler.InlineDispatcher()
        configuration.log = { _ in }
        configuration.transport = FakeTransport(service: self)
        configuration.machineIDFile = "/dev/null"
        configuration.systemRoot = "/nonexistent"
        return configuration
    }

    // MARK: The viewer

    /// Returns once the application shows a code and waits for the viewer.
    /// - Returns: the code, without separators.
    public func codeOnShow() async -> String {
        while !Task.isCancelled {
            let (code, asked) = self.state.withLock { ($0.polledCode, $0.asked) }
            if let code { return code }
            await asked.wait()
        }
        return ""
    }

    /// The viewer signs in with the code on show at a provider, and confirms the box.
    public func signIn(at providerID: String) {
        self.changeCode { state in
            state.codeState = .completed
            state.signedIn = providerID
        }
    }

    /// The viewer declines on the other screen.
    public func decline() { self.changeCode { $0.codeState = .declined } }
    /// The code on show is withdrawn.
    public func withdrawCode() { self.changeCode { $0.codeState = .cancelled } }
    /// The time of the code on show is over.
    public func expireCode() { self.changeCode { $0.codeState = .expired } }
    /// The provider refuses a login, with these words; the viewer may try again.
    public func refuseLogin(_ words: String) { self.changeCode { $0.reason = words } }
    /// The viewer is at the provider's login page.
    public func beginLogin() { self.changeCode { $0.codeState = .loggingIn } }
    /// The viewer has signed in, and is asked whether this is the box.
    public func askForConfirmation() { self.changeCode { $0.codeState = .confirming } }

    // MARK: The provider

    /// The provider denies a resource from now on, with these words.
    public func deny(_ resource: String, words: String = "Your package lacks this channel.") {
        self.state.withLock { $0.denied[resource] = words }
    }

    /// The provider permits a resource again.
    public func permit(_ resource: String) { self.state.withLock { $0.denied[resource] = nil } }

    // MARK: The operator

    /// Ends every sign-in: the next question with one is answered with a logout.
    public func revokeSignIns() { self.state.withLock { $0.revoked += 1 } }

    /// Whether the service can be reached. Questions that are held fail when it is no longer.
    public var isReachable: Bool {
        get { self.state.withLock { $0.isReachable } }
        set {
            self.state.withLock { state in
                state.isReachable = newValue
                if !newValue { state.release() }
            }
        }
    }

    /// The requests so far, in order: method and path, such as `POST /adobe-services/authorize`.
    public var calls: [String] { self.state.withLock { $0.calls } }

    private func changeCode(_ change: (inout State) -> Void) {
        self.state.withLock { state in
            change(&state)
            state.polledCode = nil
            state.release()
        }
    }

    private static let environment = URL(string: FakeTransport.base).map { AccessEnabler.Environment.custom($0) }
}

struct FakeTransport: AccessEnabler.Transport {
    /// No name that could be reached if a configuration lost its transport (RFC 2606).
    static let base = "https://fake.invalid"

    let service: FakeService

    func send(_ request: HTTPClient.Request) async throws(HTTPClientError) -> HTTPClient.Response {
        let question = FakeRequest(request)
        if question.isPoll { await self.service.hold(question) }
        guard !Task.isCancelled else { throw HTTPClientError(.cancelled) }
        let answer = self.service.state.withLock { $0.isReachable ? $0.answer(question) : nil }
        guard let answer else { throw HTTPClientError(.unreachable) }
        return answer
    }
}

extension FakeService {
    /// Returns when the code is no longer what the question knows, when the service cannot be reached, or when the task
    /// is cancelled.
    fileprivate func hold(_ question: FakeRequest) async {
        let change = self.state.withLock { state -> StopSignal? in
            if !state.isReachable || state.hasNews || !state.isStateKnown {
                state.hasNews = false
                state.isStateKnown = true
                return nil
            }
            state.held += 1
            state.polledCode = question.form["reg_code"]
            state.asked.give()
            state.asked = StopSignal()
            return state.change
        }
        guard let change else { return }
        await change.wait()
        // A question that was cancelled learns of no change, and its code is on show no longer.
        self.state.withLock { state in
            guard state.change === change else { return }
            state.held -= 1
            if state.polledCode == question.form["reg_code"] { state.polledCode = nil }
        }
    }
}
