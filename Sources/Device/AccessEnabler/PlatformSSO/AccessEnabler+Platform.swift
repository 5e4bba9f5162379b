import Clientless
import Cryptography
import FoundationEssentials

// The box's account in `getAuthentication` and `checkAuthentication` (access-enabler 10).
extension AccessEnabler {
    /// Follows the box's account, so that a check knows of a sign-out. - Returns: the work beside the mailbox that does
    /// so.
    func followBoxAccount() -> (@Sendable () async -> Void)? {
        guard let changes = self.settings.platformSSO?.changes else { return nil }
        return { [weak self] in
            for await change in changes { await self?.note(change) }
        }
    }

    private func note(_ change: PlatformSSOChange) {
        switch change {
        case .signedIn: self.isBoxSignedIn = true
        case .signedOut: self.isBoxSignedIn = false
        case .permissionChanged: break
        }
    }

    /// Whether the application may use the account; no viewer is asked, and the keeper has a time limit.
    func platformAccess(_ platform: any PlatformSSOService) async throws(PlatformSSOFailure) -> PlatformAccess {
        try await self.inTime { () async throws(PlatformSSOFailure) in try await platform.access(prompt: false) }
    }

    /// Asks the account without a dialog; the keeper has a time limit.
    func platformAccount(
        _ platform: any PlatformSSOService, _ query: AccountQuery
    ) async throws(PlatformSSOFailure) -> AccountInfo {
        try await self.inTime { () async throws(PlatformSSOFailure) in try await platform.account(query, dialog: nil) }
    }

    private func inTime<Answer: Sendable>(
        _ question: @escaping @Sendable () async throws(PlatformSSOFailure) -> Answer
    ) async throws(PlatformSSOFailure) -> Answer {
        // As long as the account's keeper may take to answer if no viewer is asked.
        let answer = await self.mailbox.apart(within: .seconds(8), by: self.settings.clock) {
            await Result(of: question)
        }
        let tooLate = PlatformSSOFailure.service(
            message: "The keeper of the account does not answer.", details: "no answer within 8 s")
        return try (answer ?? .failure(tooLate)).get()
    }

    /// The report of why a sign-in from the platform does not count at the moment, or, without any, what is between the
    /// application and a box account that it knows of (access-enabler 10.6, step 3).
    /// - Returns: `nil` for a regular sign-in, which always counts (access-enabler D-26).
    func platformProblem(of signIn: CurrentSignIn?) async -> AdvancedStatus? {
        guard let platform = self.settings.platformSSO else { return nil }
        if let signIn {
            guard signIn.stored.origin == .platform else { return nil }
            guard signIn.facts.mvpd.enablePlatformServices, signIn.facts.allowsSingleSignOn,
                self.isBoxSignedIn != false
            else { return AdvancedStatus("N000", .info) }
        } else if self.isBoxSignedIn != true {
            return nil
        }
        do throws(PlatformSSOFailure) {
            return try await self.platformAccess(platform).problem
        } catch {
            return AdvancedStatus("APPL_ERROR", .error, details: error.words.details)
        }
    }

    /// Asks for the permission to use the account. It prompts, since the viewer asked to sign in.
    func askPlatformAccess() async -> Finding {
        guard let platform = self.settings.platformSSO else { return Finding(.platform(.nothingListed)) }
        do throws(PlatformSSOFailure) {
            let problem = try await platform.access(prompt: true).problem
            return Finding(problem.map { .platform(.left($0)) } ?? .accessGranted)
        } catch {
            return Finding(.platform(.failed(error.words.message)))
        }
    }

    /// Asks for the account's provider. The dialog comes only when the box is not signed in (access-enabler D-55).
    func queryPlatform(_ step: LoginEffect, of attempt: Int) async -> Finding? {
        guard let platform = self.settings.platformSSO else { return Finding(.platform(.nothingListed)) }
        var query = self.accountQuery(step.configuration)
        let offered = step.configuration.platformProviders(step.request.filter)
        // A filter may leave nothing to choose from; an account that is there counts all the same.
        let dialog = offered.listed.isEmpty ? nil : DialogHost(self.reporter)
        guard await self.settle(Finding(nil) { $0.dialog = dialog }, of: attempt) else { return nil }
        query.isInterruptionAllowed = dialog != nil
        query.supportedProviders = offered.listed.compactMap(\.platformMappingID)
        query.featuredProviders = offered.featured.compactMap(\.platformMappingID)
        query.regularProviders = offered.listed.filter { !$0.allowsExchange }.compactMap(\.platformMappingID)
        do throws(PlatformSSOFailure) {
            let account = try await platform.account(query, dialog: dialog)
            self.isBoxSignedIn = account.providerIdentifier != nil
            let isUsable = account.providerIdentifier != nil && !self.isOver(account)
            let end = dialog == nil && !isUsable ? .nothingListed : self.end(of: account, step.configuration)
            return Finding(.platform(end))
        } catch {
            return Finding(.platform(self.end(of: error, step.configuration)))
        }
    }

    private func end(
        of account: AccountInfo, _ configuration: RequestorConfiguration
    ) -> AuthenticationFlow.PlatformEnd {
        guard let identifier = account.providerIdentifier else { return .failed("The account names no provider.") }
        guard let facts = configuration.provider(platformID: identifier), facts.takesPartInPlatform
        else { return .unsupported }
        // A provider that is bypassed, or only listed, signs in the regular way (access-enabler 9.13, D-28).
        return facts.allowsExchange ? .account(facts.forFlow) : .picked(facts.forFlow)
    }

    private func end(
        of failure: PlatformSSOFailure, _ configuration: RequestorConfiguration
    ) -> AuthenticationFlow.PlatformEnd {
        switch failure {
        case .otherProviderChosen: .left(AdvancedStatus("N003", .info))
        case .cancelled: .cancelled
        case .unsupportedProvider(let identifier):
            configuration.provider(platformID: identifier)
                .flatMap { $0.takesPartInPlatform ? .picked($0.forFlow) : nil } ?? .unsupported
        case .service(let message, _): .failed(message)
        }
    }

    /// The account's profile for a token of the server (access-enabler 10.5).
    func exchangeProfile(_ id: String, _ step: LoginEffect) async -> Finding {
        let refused = Finding(.platform(.left(AdvancedStatus("N500", .error))))
        // A provider that a new configuration no longer has is refused.
        guard let facts = step.configuration.provider(id) else { return refused }
        do throws(ExchangeFailure) {
            let session = try await self.exchange(facts, step.configuration)
            return Finding(.token) { attempt in
                attempt.session = session
                attempt.origin = .platform
                attempt.provider = facts
            }
        } catch {
            switch error {
            case .platform(let failure): return Finding(.platform(.failed(failure.words.message)))
            case .noProfile: return Finding(.platform(.failed("The account gave no profile.")))
            case .server: return refused
            }
        }
    }

    /// Steps 3 to 6 of access-enabler 10.5.
    func exchange(
        _ facts: ProviderFacts, _ configuration: RequestorConfiguration
    ) async throws(ExchangeFailure) -> NativeSession {
        guard let platform = self.settings.platformSSO else { throw .noProfile }
        let request: [UInt8]
        do {
            request = try await self.server(about: facts, configuration).profileRequest(mvpdID: facts.id)
        } catch {
            throw .server
        }
        var query = self.accountQuery(configuration)
        query.supportedProviders = facts.platformMappingID.map { [$0] } ?? []
        query.attributeNames = facts.requiredMetadataFields
        query.verificationToken = request
        let account: AccountInfo
        do throws(PlatformSSOFailure) {
            account = try await self.platformAccount(platform, query)
        } catch {
            throw .platform(error)
        }
        guard let profile = account.profile else { throw .noProfile }
        do {
            return try await self.server(about: facts, configuration)
                .exchangeProfile(encodedProfile(profile), mvpdID: facts.id)
        } catch {
            throw .server
        }
    }

    func accountQuery(_ configuration: RequestorConfiguration) -> AccountQuery {
        AccountQuery(channelIdentifier: self.settings.platformChannelIdentifier ?? configuration.firstResponder.text)
    }

    func isOver(_ account: AccountInfo) -> Bool {
        guard let end = account.authenticationExpires else { return false }
        return end.timeIntervalSince1970 * 1000 <= Double(self.settings.clock.now.milliseconds)
    }
}

enum ExchangeFailure: Error {
    case platform(PlatformSSOFailure)
    case noProfile
    case server
}

extension AuthenticationFlow.PlatformEnd {
    fileprivate static let unsupported = Self.left(AdvancedStatus("N004", .info))

    fileprivate static func failed(_ message: String) -> Self {
        .left(AdvancedStatus("VSA503", .info, message: message))
    }
}

extension AccessEnabler.PlatformAccess {
    /// The report of why the account cannot be used; `nil` if it can.
    var problem: AdvancedStatus? {
        switch self {
        case .granted: nil
        case .denied, .restricted: AdvancedStatus("VSA403", .info)
        case .notDetermined: AdvancedStatus("VSA404", .info)
        }
    }
}

extension PlatformSSOFailure {
    /// The words for the application, and for the operator of the box.
    var words: (message: String, details: String) {
        switch self {
        case .service(let message, let details): (message, details)
        case .otherProviderChosen: ("Another provider was chosen.", "")
        case .unsupportedProvider: ("The provider is not supported.", "")
        case .cancelled: ("The choice was cancelled.", "")
        }
    }
}

/// Runs of blanks become one, line breaks none; then Base64 (access-enabler 10.5, step 5). One that is Base64 already
/// is taken as it is.
private func encodedProfile(_ profile: String) -> String {
    var text = ""
    for character in profile where !character.isNewline {
        if character == " " || character == "\t" {
            if text.last != " " { text += " " }
        } else {
            text.append(character)
        }
    }
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    guard text.hasPrefix("<") else { return text.filter { $0 != " " } }
    return Base64.encode(text.utf8)
}
