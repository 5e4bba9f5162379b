import AccessEnabler
import Synchronization

/// A callback as it came in, in words that can be compared.
struct Callback: Hashable, Sendable, CustomStringConvertible {
    let name: String
    let arguments: [String]

    init(_ name: String, _ arguments: String...) {
        self.name = name
        self.arguments = arguments
    }

    var description: String { "\(self.name)(\(self.arguments.joined(separator: ", ")))" }

    static let authenticated = Callback("setAuthenticationStatus", "1", "")
    static func notAuthenticated(_ code: String) -> Callback { Callback("setAuthenticationStatus", "0", code) }
    static let configured = Callback("setRequestorComplete", "1")
    static let notConfigured = Callback("setRequestorComplete", "0")
}

/// Both delegates of an application, in one object that remembers what it was told, and in what order.
final class Recorder: EntitlementDelegate, EntitlementStatus {
    fileprivate struct Waiter {
        let number: Int
        let name: String
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    fileprivate struct State {
        var callbacks: [Callback] = []
        var statuses: [[String: String]] = []
        var dialogs: [TvProviderDialogRequest] = []
        var dismissed: [TvProviderDialogRequest] = []
        var metadata:
            [(
                value: AccessEnabler.MetadataValue?, encrypted: Bool, key: Int,
                arguments: [String: AccessEnabler.MetadataArgument]
            )] = []
        var tracking: [(event: Int, data: [String])] = []
        var isInside = false
        var overlaps = 0
        var lastWait = 0
        var cancelled: Set<Int> = []
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Every callback but `status` and `sendTrackingData`, in order.
    var callbacks: [Callback] { self.everything.filter { $0.name != "status" && $0.name != "sendTrackingData" } }
    var everything: [Callback] { self.state.withLock { $0.callbacks } }
    var statuses: [[String: String]] { self.state.withLock { $0.statuses } }
    var codes: [String] { self.statuses.map { $0["errorId"] ?? "" } }
    var dialogs: [TvProviderDialogRequest] { self.state.withLock { $0.dialogs } }
    var dismissed: [TvProviderDialogRequest] { self.state.withLock { $0.dismissed } }
    var metadata:
        [(
            value: AccessEnabler.MetadataValue?, encrypted: Bool, key: Int,
            arguments: [String: AccessEnabler.MetadataArgument]
        )]
    {
        self.state.withLock { $0.metadata }
    }
    func tracked(_ event: Int) -> [[String]] {
        self.state.withLock { $0.tracking.filter { $0.event == event }.map(\.data) }
    }
    /// How often one callback came while another had not returned.
    var overlaps: Int { self.state.withLock { $0.overlaps } }

    func count(_ name: String) -> Int { self.callbacks.count { $0.name == name } }

    func statuses(_ code: String) -> [[String: String]] { self.statuses.filter { $0["errorId"] == code } }

    /// Returns once callbacks of this name (or statuses of this code) have come so often in all; sooner when the test
    /// runs out of time.
    func wait(for name: String, count: Int = 1) async {
        let number = self.state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if state.cancelled.contains(number) || state.occurrences(of: name) >= count { return true }
                    state.waiting.append(Waiter(number: number, name: name, count: count, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = self.state.withLock { state -> Waiter? in
                state.cancelled.insert(number)
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
                return state.waiting.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }

    private func take(_ callback: Callback, _ change: (inout State) -> Void = { _ in }) {
        self.state.withLock { state in
            if state.isInside { state.overlaps += 1 }
            state.isInside = true
        }
        let ready = self.state.withLock { state in
            state.callbacks.append(callback)
            change(&state)
            state.isInside = false
            let current = state
            defer { state.waiting.removeAll { current.occurrences(of: $0.name) >= $0.count } }
            return state.waiting.filter { current.occurrences(of: $0.name) >= $0.count }
        }
        for item in ready { item.continuation.resume() }
    }

    func setRequestorComplete(_ status: AccessEnablerStatus) {
        self.take(Callback("setRequestorComplete", "\(status.rawValue)"))
    }

    func setAuthenticationStatus(_ status: AccessEnablerStatus, errorCode code: String) {
        self.take(Callback("setAuthenticationStatus", "\(status.rawValue)", code))
    }

    func displayProviderDialog(_ mvpds: [MVPD]) {
        self.take(Callback("displayProviderDialog", mvpds.map(\.id).joined(separator: ",")))
    }

    func navigateToUrl(_ url: String) { self.take(Callback("navigateToUrl", url)) }

    func navigateToUrl(_ url: String, useSVC: Bool) { self.take(Callback("navigateToUrl:useSVC:", url, "\(useSVC)")) }

    func preauthorizedResources(_ resources: [String]) {
        self.take(Callback("preauthorizedResources", resources.joined(separator: ",")))
    }

    func setToken(_ token: String, forResource resource: String) { self.take(Callback("setToken", token, resource)) }

    func tokenRequestFailed(_ resource: String, errorCode code: String, errorDescription description: String) {
        self.take(Callback("tokenRequestFailed", resource, code, description))
    }

    func selectedProvider(_ mvpd: MVPD?) { self.take(Callback("selectedProvider", mvpd?.id ?? "nil")) }

    func presentTvProviderDialog(_ request: TvProviderDialogRequest) {
        self.take(
            Callback("presentTvProviderDialog", request.providers.map(\.id).joined(separator: ","))
        ) { $0.dialogs.append(request) }
    }

    func dismissTvProviderDialog(_ request: TvProviderDialogRequest) {
        self.take(Callback("dismissTvProviderDialog")) { $0.dismissed.append(request) }
    }

    func setMetadataStatus(
        _ metadata: AccessEnabler.MetadataValue?, encrypted: Bool, forKey key: Int,
        andArguments arguments: [String: AccessEnabler.MetadataArgument]
    ) {
        self.take(Callback("setMetadataStatus", "\(key)")) { $0.metadata.append((metadata, encrypted, key, arguments)) }
    }

    func sendTrackingData(_ data: [String], forEventType event: Int) {
        self.take(Callback("sendTrackingData", "\(event)")) { $0.tracking.append((event, data)) }
    }

    func status(_ statusDictionary: [String: String]) {
        self.take(Callback("status", statusDictionary["errorId"] ?? "")) { $0.statuses.append(statusDictionary) }
    }
}

extension Recorder.State {
    fileprivate func occurrences(of name: String) -> Int {
        self.callbacks.count { $0.name == name || ($0.name == "status" && $0.arguments == [name]) }
    }
}
