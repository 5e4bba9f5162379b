/// Why the domain did not do what was asked.
package struct EntitlementError: Error, Hashable, Sendable {
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Value: String {
            case unknownRequestor, codeUnknown, codeUsed, codeDeclined, unknownProvider, loginUnknown
            case notAuthenticated, authenticationExpired, notAuthorized, authorizationMissing, authorizationExpired
            case tooManyResources, foreignToken, deviceMismatch, authenticationRevoked, trialExhausted
            case passiveNotPossible, platformRefused, providerUnavailable, tooManyAttempts, storeUnavailable
            case `internal`
        }
        private let value: Value

        package static let unknownRequestor = Code(value: .unknownRequestor)
        /// No such code, or expired, cancelled, or another requestor's: alike to a stranger.
        package static let codeUnknown = Code(value: .codeUnknown)
        /// A login completed it already.
        package static let codeUsed = Code(value: .codeUsed)
        /// The viewer said that this is not their box.
        package static let codeDeclined = Code(value: .codeDeclined)
        /// Not a provider of this requestor, or switched off.
        package static let unknownProvider = Code(value: .unknownProvider)
        /// No such login, or it is over, or another browser's.
        package static let loginUnknown = Code(value: .loginUnknown)
        /// There is no sign-in that counts for the caller.
        package static let notAuthenticated = Code(value: .notAuthenticated)
        /// There was one, and its time is over.
        package static let authenticationExpired = Code(value: .authenticationExpired)
        /// ``EntitlementError/denial`` says who refused, ``EntitlementError/viewerMessage`` has their sentence.
        package static let notAuthorized = Code(value: .notAuthorized)
        package static let authorizationMissing = Code(value: .authorizationMissing)
        package static let authorizationExpired = Code(value: .authorizationExpired)
        /// More resources in one question than the requestor may ask about.
        package static let tooManyResources = Code(value: .tooManyResources)
        /// A presented document or its signature is not this server's, or cannot be read (sdk-services 1, N130).
        package static let foreignToken = Code(value: .foreignToken)
        /// A presented document belongs to another device (sdk-services 1, SEC412).
        package static let deviceMismatch = Code(value: .deviceMismatch)
        /// The record behind a presented document is gone: signed out elsewhere, replaced, or erased by an operator.
        package static let authenticationRevoked = Code(value: .authenticationRevoked)
        /// The time of a trial is over (sdk-services 6, N111).
        package static let trialExhausted = Code(value: .trialExhausted)
        /// The provider cannot, or will not, vouch for the viewer without a browser (sdk-services 6).
        package static let passiveNotPossible = Code(value: .passiveNotPossible)
        /// What the platform's account said is not acceptable (rest-v1 21.2); ``EntitlementError/detail`` says why.
        package static let platformRefused = Code(value: .platformRefused)
        package static let providerUnavailable = Code(value: .providerUnavailable)
        /// ``EntitlementError/retryAfter`` says how long to wait.
        package static let tooManyAttempts = Code(value: .tooManyAttempts)
        package static let storeUnavailable = Code(value: .storeUnavailable)
        package static let `internal` = Code(value: .internal)

        package var description: String { self.value.rawValue }
    }

    package let code: Code
    /// Who refused a resource, or why nobody could be asked; with `notAuthorized` and `providerUnavailable`.
    package let denial: Denial?
    /// A sentence meant for the viewer, such as a provider's reason for a refusal.
    package let viewerMessage: String?
    package let retryAfter: Duration?
    /// For operators; never sent.
    package let detail: String?

    package init(
        _ code: Code, denial: Denial? = nil, viewerMessage: String? = nil, retryAfter: Duration? = nil,
        detail: String? = nil
    ) {
        self.code = code
        self.denial = denial
        self.viewerMessage = viewerMessage
        self.retryAfter = retryAfter
        self.detail = detail
    }

    /// A store's failure, as callers of the domain see it.
    package init(_ error: StoreError) {
        self.init(.storeUnavailable, detail: error.debugDescription)
    }

    /// A provider's failure, as callers of the domain see it.
    package init(_ error: ProviderError) {
        self.init(.providerUnavailable, denial: .network(timeout: false), detail: error.detail)
    }
}

extension EntitlementError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }
    package var debugDescription: String { "\(self.code): \(self.detail ?? "–")" }
}
