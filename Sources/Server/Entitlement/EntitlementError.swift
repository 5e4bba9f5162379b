/// Why the domain did not do what was asked.
package struct EntitlementError: Error, Hashable, Sendable {
    /// Every reason there is. A new one has to be worded by every face.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        case unknownRequestor
        /// No such code, or expired, cancelled, or another requestor's: alike to a stranger.
        case codeUnknown
        case codeUsed
        case codeDeclined
        /// Not a provider of this requestor, or switched off.
        case unknownProvider
        /// No such login, or it is over, or another browser's.
        case loginUnknown
        /// There is no sign-in that counts for the caller.
        case notAuthenticated
        /// There was one, and its time is over.
        case authenticationExpired
        /// ``EntitlementError/denial`` says who refused, ``EntitlementError/viewerMessage`` has their sentence.
        case notAuthorized
        case authorizationMissing
        case authorizationExpired
        /// More resources in one question than the requestor may ask about.
        case tooManyResources
        /// A presented document or its signature is not this server's, or cannot be read (sdk-services 1, N130).
        case foreignToken
        /// A presented document belongs to another device (sdk-services 1, SEC412).
        case deviceMismatch
        /// The record behind a presented document is gone: signed out elsewhere, replaced, or erased by an operator.
        case authenticationRevoked
        /// The time of a trial is over (sdk-services 6, N111).
        case trialExhausted
        /// The provider cannot, or will not, vouch for the viewer without a browser (sdk-services 6).
        case passiveNotPossible
        /// The platform's account is not acceptable (rest-v1 21.2); ``EntitlementError/platformFault``
        /// says what is wrong, ``EntitlementError/detail`` why.
        case platformRefused
        case providerUnavailable
        /// ``EntitlementError/retryAfter`` says how long to wait.
        case tooManyAttempts
        /// Any operation that asks the store may throw this; their comments name the other reasons.
        case storeUnavailable
        case `internal`

        package var description: String { self.rawValue }
    }

    package let code: Code
    /// The party that refused a resource, or why the provider could not be asked; with `notAuthorized` and
    /// `providerUnavailable`.
    package let denial: Denial?
    /// A sentence meant for the viewer, such as a provider's reason for a refusal.
    package let viewerMessage: String?
    package let retryAfter: Duration?
    /// With `tooManyAttempts`: whether a limit of the whole service was met, and not one of the caller.
    package var isForEveryone = false
    /// With `platformRefused`.
    package let platformFault: PlatformFault?
    /// With `providerUnavailable`: whose trouble it is; `nil` if no provider was asked.
    package let providerFault: ProviderError.Kind?
    /// With `authenticationRevoked`: how the sign-in ended, if that is known.
    package var ending: SignInEnding?
    /// For operators; never sent.
    package let detail: String?
    /// The store's failure, with `storeUnavailable`; for operators, as ``detail``.
    package let storeError: StoreError?

    package init(
        _ code: Code, denial: Denial? = nil, viewerMessage: String? = nil, retryAfter: Duration? = nil,
        platformFault: PlatformFault? = nil, detail: String? = nil, storeError: StoreError? = nil,
        providerFault: ProviderError.Kind? = nil
    ) {
        self.code = code
        self.denial = denial
        self.viewerMessage = viewerMessage
        self.retryAfter = retryAfter
        self.platformFault = platformFault
        self.detail = detail
        self.storeError = storeError
        self.providerFault = providerFault
    }

    package init(_ error: StoreError) {
        self.init(.storeUnavailable, detail: error.debugDescription, storeError: error)
    }

    package init(_ error: ProviderError) {
        self.init(
            .providerUnavailable, denial: .network(timeout: false), detail: error.detail, providerFault: error.kind)
    }
}

extension EntitlementError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { self.code.description }
    package var debugDescription: String { "\(self.code): \(self.detail ?? "–")" }
}

/// The faults of the answer of a platform's account, as far as the box may know (sdk-services 6).
package enum PlatformFault: String, Hashable, Sendable {
    case unreadable = "the response is not Base64, or too long"
    case unproven = "the response was not verified"
    case replayed = "the response was used before"
    case bypassed = "the provider's login is bypassed at present"
    case sourceOver = "the sign-in of the box's account does not count, or does no more"
}

/// Asks the store; its failure becomes `storeUnavailable`.
func stored<Value>(
    _ answer: @autoclosure () async throws(StoreError) -> Value
) async throws(EntitlementError) -> Value {
    do {
        return try await answer()
    } catch {
        throw EntitlementError(error)
    }
}

/// Does what fails only by a fault of this server, such as a key that does not sign: that becomes `internal`.
func internally<Value>(_ detail: String, _ body: () throws -> Value) throws(EntitlementError) -> Value {
    do {
        return try body()
    } catch {
        throw EntitlementError(.internal, detail: detail)
    }
}
