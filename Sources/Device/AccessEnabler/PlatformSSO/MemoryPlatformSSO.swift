public import FoundationEssentials
import Synchronization

extension AccessEnabler {
    /// A box's account that lives in the process, for applications that are tried out and for tests (access-enabler
    /// 10).
    ///
    /// The settings application of a real box is played by its methods.
    public final class MemoryPlatformSSO: PlatformSSOService {
        /// The account's answer to a verification token; `nil` for no profile.
        public typealias Profile = @Sendable (_ providerIdentifier: String, _ verificationToken: [UInt8]) -> String?

        private struct State {
            var access: PlatformAccess
            var answerToPrompt: PlatformAccess
            var provider: String?
            var expires: Date?
            var failure: PlatformSSOFailure?
            var prompts = 0
        }

        private let state: Mutex<State>
        private let news = Broadcast<PlatformSSOChange>(backlog: 16)
        private let profile: Profile
        private let now: @Sendable () -> Date
        /// Providers by platform ID, for the dialog.
        private let catalogue: [String: MVPD]
        /// Platform IDs of providers that the platform lists but cannot sign in to.
        private let pickerOnly: Set<String>

        /// - Parameters:
        ///   - access: the permission of this application so far.
        ///   - answerToPrompt: the viewer's answer when asked.
        ///   - provider: the platform ID of the provider the box is signed in with.
        ///   - expires: how long that sign-in lasts.
        ///   - catalogue: providers by platform ID, for the dialog; one that is not in it goes by its platform ID.
        ///   - pickerOnly: platform IDs of providers that the platform lists but cannot sign in to.
        ///   - now: tells the time; a sign-in that has expired is asked for anew where the dialog may be shown.
        ///   - profile: the account's answer to a verification token.
        public init(
            access: PlatformAccess = .granted, answerToPrompt: PlatformAccess = .granted, provider: String? = nil,
            expires: Date? = nil, catalogue: [String: MVPD] = [:], pickerOnly: Set<String> = [],
            now: @escaping @Sendable () -> Date = { Date() }, profile: @escaping Profile
        ) {
            self.state = Mutex(
                State(access: access, answerToPrompt: answerToPrompt, provider: provider, expires: expires))
            self.catalogue = catalogue
            self.pickerOnly = pickerOnly
            self.now = now
            self.profile = profile
        }

        /// How often the viewer was asked for permission.
        public var prompts: Int { self.state.withLock { $0.prompts } }

        /// Signs the box in, as its settings do.
        public func signIn(provider: String, expires: Date? = nil) {
            self.change(.signedIn) { state in
                state.provider = provider
                state.expires = expires
            }
        }

        /// Signs the box out, as its settings do.
        public func signOut() { self.change(.signedOut) { $0.provider = nil } }
        /// Changes the application's permission, as the settings do.
        public func setAccess(_ access: PlatformAccess) { self.change(.permissionChanged) { $0.access = access } }
        /// Fails every further question with `failure`; with `nil` they are answered again.
        public func fail(with failure: PlatformSSOFailure?) { self.state.withLock { $0.failure = failure } }

        /// See ``PlatformSSOService/access(prompt:)``.
        public func access(prompt: Bool) async throws(PlatformSSOFailure) -> PlatformAccess {
            try self.state.withLock { (state) throws(PlatformSSOFailure) in
                if let failure = state.failure { throw failure }
                if state.access == .notDetermined, prompt {
                    state.prompts += 1
                    state.access = state.answerToPrompt
                }
                return state.access
            }
        }

        /// See ``PlatformSSOService/account(_:dialog:)``.
        public func account(
            _ query: AccountQuery, dialog: (any TvProviderDialogHost)?
        ) async throws(PlatformSSOFailure) -> AccountInfo {
            let known = try self.state.withLock { (state) throws(PlatformSSOFailure) in
                if let failure = state.failure { throw failure }
                return (provider: state.provider, expires: state.expires)
            }
            let isOver = known.expires.map { $0 <= self.now() } ?? false
            let mayAsk = query.isInterruptionAllowed && dialog != nil
            if let provider = known.provider, !(isOver && mayAsk) {
                return self.information(provider, known.expires, query)
            }
            guard query.isInterruptionAllowed, let dialog else { return AccountInfo() }
            let chosen = try await self.choose(query, dialog)
            self.signIn(provider: chosen)
            return self.information(chosen, nil, query)
        }

        /// See ``PlatformSSOService/changes``.
        public var changes: AsyncStream<PlatformSSOChange> { self.news.subscribe() }

        private func choose(
            _ query: AccountQuery, _ dialog: any TvProviderDialogHost
        ) async throws(PlatformSSOFailure) -> String {
            func shown(_ identifiers: [String]) -> [MVPD] {
                identifiers.map { self.catalogue[$0] ?? MVPD(id: $0, displayName: $0) }
            }
            let request = TvProviderDialogRequest(
                providers: shown(query.supportedProviders), featured: shown(query.featuredProviders))
            await dialog.present(request)
            let answer = await request.answer()
            request.turn(to: .finished)
            await dialog.dismiss(request)
            switch answer {
            case .other: throw .otherProviderChosen
            case .cancelled: throw .cancelled
            case .provider(let id):
                let identifier = self.catalogue.first { $0.value.id == id }?.key ?? id
                guard query.supportedProviders.contains(identifier), !self.pickerOnly.contains(identifier)
                else { throw .unsupportedProvider(identifier) }
                return identifier
            }
        }

        private func information(_ provider: String, _ expires: Date?, _ query: AccountQuery) -> AccountInfo {
            AccountInfo(
                providerIdentifier: query.includeProviderIdentifier ? provider : nil,
                authenticationExpires: query.includeExpirationDate ? expires : nil,
                profile: query.verificationToken.flatMap { self.profile(provider, $0) })
        }

        private func change(_ change: PlatformSSOChange, _ body: (inout State) -> Void) {
            self.state.withLock { body(&$0) }
            self.news.send(change)
        }
    }
}
