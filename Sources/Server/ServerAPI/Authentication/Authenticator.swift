package import Clientless
import Entitlement
package import HTTPServer
import Observability

/// Finds out who makes a device-class call (rest-v1 7.1).
///
/// A call that needs no store is decided on the spot: every signed call of a requestor in compatible mode, and every
/// bearer call of a client seen before.
package final class Authenticator: Sendable {
    enum Outcome: Sendable {
        case caller(Caller)
        case refused(WireError)
        /// Only the store can tell; see ``settle(_:)``.
        indirect case undecided(Undecided)
    }

    /// The time left to ask, with everything that is already known.
    struct Undecided: Sendable {
        enum Question: Sendable {
            /// A strict requestor's nonce counts once, on whatever node.
            case nonce(String, publicKey: String, until: Timestamp, Caller)
            case client(AccessTokenClaims, RequestorClaim)
        }

        let question: Question
        let now: Timestamp
        var origin: RefusalLog.Origin?
    }

    let domain: Entitlements
    let accessTokens: AccessTokens
    /// How far a device's clock may be off, either way (rest-v1 7.3, step 7).
    let window: Duration
    let nonces = NonceMemory()
    private let refusedCalls: CounterTable
    let mismatches: CounterTable
    let catalogue: Catalogue
    let refusals: RefusalLog
    let addresses: CallerAddresses

    init(_ parts: Faces.Parts, _ addresses: CallerAddresses) {
        self.refusals = RefusalLog(parts.logger)
        self.addresses = addresses
        self.domain = parts.domain
        self.accessTokens = parts.accessTokens
        self.window = parts.settings.clockWindow
        self.refusedCalls = parts.metrics.counterTable(
            "latchkey_refused_calls_total", help: "Calls whose credential was refused, by status.",
            labels: [LabelSet("status", Self.statuses.map(String.init) + ["other"])])
        self.mismatches = parts.metrics.counter(
            "latchkey_signature_line_mismatches_total",
            help: "Signed calls whose signed verb or URI was not that of the call.")
        self.catalogue = parts.domain.catalogue
    }

    private static let statuses = [400, 401, 403]

    /// Authenticates a call as far as memory goes.
    func authenticate(
        _ request: HTTPRequest, _ parameters: HTTPParameters, for claim: RequestorClaim, now: Timestamp
    ) -> Outcome {
        let scheme = AuthorizationScheme(request, parameters)
        let outcome: Outcome
        do throws(WireError) {
            switch scheme {
            case .signedRequest(let header): outcome = try self.verify(signed: header, request, for: claim, now: now)
            case .bearer(let token): outcome = try self.verify(bearer: token, for: claim, now: now)
            case .emptyBearer: throw .bearerMissing
            case .contradiction: throw .bearerContradicted
            case .none: throw .unauthenticated
            }
        } catch {
            self.note(error, self.origin(of: request, scheme, claim), now: now)
            return .refused(error)
        }
        switch consume outcome {
        case .undecided(var undecided):
            undecided.origin = self.origin(of: request, scheme, claim)
            return .undecided(undecided)
        case let settled: return settled
        }
    }

    /// Counts a refused credential, and says why in the log.
    func note(_ error: WireError, _ origin: RefusalLog.Origin, now: Timestamp) {
        self.refusedCalls.increment(Self.statuses.firstIndex(of: error.status.code) ?? Self.statuses.count)
        self.refusals.note(error.fault?.rawValue ?? error.code.rawValue, origin, now: now)
    }

    func origin(of request: HTTPRequest, _ scheme: AuthorizationScheme, _ claim: RequestorClaim) -> RefusalLog.Origin {
        var origin = RefusalLog.Origin(network: self.addresses.address(of: request).prefix, request: request.id)
        if case .named(let name) = claim { origin.requestor = self.catalogue.requestorID(named: name) }
        if case .signedRequest(let text) = scheme, let header = try? SignedRequestHeader(text) {
            origin.key = String(decoding: header.publicKey, as: UTF8.self)
            origin.requestor = origin.requestor ?? self.catalogue.requestorID(named: header.requestor)
        }
        return origin
    }

    /// Asks the store what memory could not tell.
    func settle(_ undecided: Undecided) async -> Result<Caller, WireError> {
        let result: Result<Caller, WireError>
        do throws(EntitlementError) {
            switch undecided.question {
            case .nonce(let nonce, let publicKey, let until, let caller):
                let isFresh = try await self.domain.credentials.nonces.take(
                    nonce, of: publicKey, until: until, now: undecided.now)
                result = isFresh ? .success(caller) : .failure(.notAuthorized.because(.nonce))
            case .client(let claims, let claim):
                let standing = try await self.domain.credentials.client(claims.clientID, at: undecided.now)
                result = Result { () throws(WireError) in try self.caller(standing, claims, for: claim) }
            }
        } catch {
            return .failure(WireError(error))
        }
        if case .failure(let error) = result, let origin = undecided.origin {
            self.note(error, origin, now: undecided.now)
        }
        return result
    }

    /// The requestor a call is for, among those its credential may speak for.
    ///
    /// - Parameter fallback: the one the credential itself stands for, one of those that are `allowed`.
    /// - Returns: `nil` only for an optional claim that nothing settles.
    func requestor(
        _ claim: RequestorClaim, fallback: RequestorID?, allowed: [RequestorID],
        refusal: @autoclosure () -> WireError
    ) throws(WireError) -> RequestorID? {
        let id: RequestorID
        switch (claim, fallback) {
        case (.named(let name), _):
            guard let named = self.catalogue.requestorID(named: name) else { throw .invalid("requestor") }
            id = named
        case (.open, let fallback?), (.optional, let fallback?):
            guard self.catalogue.contains(fallback) else { throw .invalid("requestor") }
            id = fallback
        case (.open, nil): throw .missing("requestor")
        case (.optional, nil): return nil
        }
        guard id == fallback || allowed.contains(id) else { throw refusal() }
        return id
    }
}

// The bearer scheme (rest-v1 7.6).
extension Authenticator {
    func verify(bearer token: String, for claim: RequestorClaim, now: Timestamp) throws(WireError) -> Outcome {
        let claims = try self.claims(of: token, now: now)
        let standing = self.domain.credentials.clientInMemory(claims.clientID, at: now)
        guard standing != .unknown else { return .undecided(Undecided(question: .client(claims, claim), now: now)) }
        return .caller(try self.caller(standing, claims, for: claim))
    }

    private func claims(of token: String, now: Timestamp) throws(WireError) -> AccessTokenClaims {
        do {
            return try self.accessTokens.checked(token, now: now)
        } catch {
            throw error == .expired ? .bearerExpired : .bearerRefused
        }
    }

    /// The caller behind a genuine token, if its application still may call this API for that requestor.
    func caller(
        _ standing: ClientStanding, _ claims: AccessTokenClaims, for claim: RequestorClaim
    ) throws(WireError) -> Caller {
        let client: ActiveClient
        switch standing {
        case .unknown: throw .clientRefused
        case .refused: throw .applicationRefused
        case .active(let active): client = active
        }
        guard client.grants(.clientV1, toToken: claims.scopes) else { throw .clientRefused }
        let application = client.application
        let allowed = application.requestors
        let only = allowed.allSatisfy { $0 == allowed.first } ? allowed.first : nil
        return Caller(
            credential: .client(id: client.record.clientID, application: application),
            requestor: try self.requestor(claim, fallback: only, allowed: allowed, refusal: .clientRefused),
            allowed: allowed, isServer: application.isServerToServer)
    }
}

extension Authenticator {
    /// The credential of the programmer's server that makes this call for a device or a viewer, so that the address it
    /// forwards is theirs (rest-v1 28.2). It must prove that it is the one: a name alone is no reason to believe an
    /// address.
    ///
    /// This is asked of calls that are not authenticated, or not yet, for the throttle counts first. It takes no nonce
    /// and asks no store; a client this node has not seen yet counts under its own address once.
    /// - Returns: what limits know the credential by; `nil` when no server calls.
    package func server(calling request: HTTPRequest, now: Timestamp) -> String? {
        // Every call comes here, and reading its header takes a third of what a whole poll takes. Most forward nothing.
        guard self.domain.credentials.haveServers, request.headers.contains("X-Forwarded-For") else { return nil }
        switch AuthorizationScheme(request, request.parameters) {
        case .signedRequest(let text):
            guard let name = SignedRequestHeader.claimedPublicKey(in: text),
                let key = self.domain.credentials.key(name), key.isServerToServer, key.isActive(at: now),
                let header = try? SignedRequestHeader(text), header.isAuthentic(under: key.key)
            else { return nil }
            return (try? header.check(now: now, window: self.window)) != nil ? key.publicKey : nil
        case .bearer(let token):
            guard let claims = self.accessTokens.claims(of: token, now: now),
                case .active(let client) = self.domain.credentials.clientInMemory(claims.clientID, at: now)
            else { return nil }
            return client.application.isServerToServer ? claims.clientID : nil
        case .emptyBearer, .contradiction, .none: return nil
        }
    }

    /// The requestor a call seems to be for, before anything about it is proven: good enough to choose how an error is
    /// worded, and for nothing else.
    /// - Parameter name: what path or parameter say.
    func presumedRequestor(of request: HTTPRequest, named name: ArraySlice<UInt8>?) -> RequestorID? {
        if let known = name.flatMap({ self.catalogue.requestorID(named: $0) }) { return known }
        guard let header = request.headers.bytes("Authorization").flatMap({ try? SignedRequestHeader($0) })
        else { return nil }
        return self.catalogue.requestorID(named: header.requestor)
    }
}
