import AccessEnabler
import Synchronization

/// A delegate that implements nothing optional, and counts.
final class PlainDelegate: EntitlementDelegate {
    private let outcomeCount = Atomic<Int>(0)
    private let tokenCount = Atomic<Int>(0)
    /// Successful `setAuthenticationStatus`.
    var outcomes: Int { self.outcomeCount.load(ordering: .relaxed) }
    var tokens: Int { self.tokenCount.load(ordering: .relaxed) }

    func setRequestorComplete(_ status: AccessEnablerStatus) {}

    func setAuthenticationStatus(_ status: AccessEnablerStatus, errorCode code: String) {
        if status == .success { self.outcomeCount.add(1, ordering: .relaxed) }
    }

    func displayProviderDialog(_ mvpds: [MVPD]) {}

    func navigateToUrl(_ url: String) {}

    func preauthorizedResources(_ resources: [String]) {}

    func setToken(_ token: String, forResource resource: String) { self.tokenCount.add(1, ordering: .relaxed) }

    func tokenRequestFailed(_ resource: String, errorCode code: String, errorDescription description: String) {}

    func selectedProvider(_ mvpd: MVPD?) {}

    func presentTvProviderDialog(_ request: TvProviderDialogRequest) {}

    func dismissTvProviderDialog(_ request: TvProviderDialogRequest) {}

    func setMetadataStatus(
        _ metadata: AccessEnabler.MetadataValue?, encrypted: Bool, forKey key: Int,
        andArguments arguments: [String: AccessEnabler.MetadataArgument]
    ) {}
}
