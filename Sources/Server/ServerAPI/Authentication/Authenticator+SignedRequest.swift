import Clientless
import Entitlement
import HTTPServer
import Observability

// The HMAC scheme, in the order of rest-v1 7.3. Everything here runs on the connection's own thread.
extension Authenticator {
    func verify(
        signed text: ArraySlice<UInt8>, _ request: HTTPRequest, for claim: RequestorClaim, now: Timestamp
    ) throws(WireError) -> Outcome {
        // Steps 1 to 4.
        guard let header = try? SignedRequestHeader(text) else { throw .notAuthorized.because(.header) }
        guard
            let signedFor = self.catalogue.requestorID(named: header.requestor)
                ?? RequestorID(String(decoding: header.requestor, as: UTF8.self))
        else { throw .notAuthorized.because(.requestorName) }
        // Step 5.
        guard let key = self.domain.credentials.key(header.publicKey), key.isActive(at: now) else {
            throw self.domain.credentials.isClosed(String(decoding: header.publicKey, as: UTF8.self), at: now)
                ? WireError(EntitlementError(.storeUnavailable)).because(.sealed) : .notAuthorized.because(.key)
        }
        guard key.requestors.contains(signedFor) else { throw .forbidden.because(.requestor) }
        // Steps 6 and 7.
        guard header.isAuthentic(under: key.key) else { throw .notAuthorized.because(.signature) }
        guard let time = header.time, (try? header.check(now: now, window: self.window)) != nil
        else { throw .clientTimeRefused.because(.clock) }
        // Step 10, before 8 and 9, because how these two are read depends on the requestor.
        guard
            let requestor = try self.requestor(
                claim, fallback: signedFor, allowed: key.requestors, refusal: .forbidden.because(.requestor))
        else { throw .missing("requestor") }
        let caller = Caller(
            credential: .keyPair(publicKey: key.publicKey), requestor: requestor, allowed: key.requestors,
            isServer: key.isServerToServer)
        // A header a strict requestor signed must not become reusable by naming a tolerant one of the same key.
        let isStrict =
            self.catalogue.isStrict(requestor) || requestor != signedFor && self.catalogue.isStrict(signedFor)
        // The window's last millisecond is within it.
        return isStrict
            ? try self.verifyStrictly(
                header, key, request, caller, until: time + self.window + .milliseconds(1), now: now)
            : try self.verifyTolerantly(header, key, request, caller, until: time + self.window, now: now)
    }

    /// Steps 8 and 9 for deployed clients, which sign one header and send it with several calls.
    private func verifyTolerantly(
        _ header: SignedRequestHeader, _ key: Credentials.Key, _ request: HTTPRequest, _ caller: Caller,
        until: Timestamp, now: Timestamp
    ) throws(WireError) -> Outcome {
        guard self.nonces.take(header.nonceHash(under: key.mark), text: header.signatureBits, until: until, now: now)
        else { throw .notAuthorized.because(.nonce) }
        if !Self.isOfRequest(header, request) {
            self.mismatches.increment()
            self.refusals.note(
                SignatureFault.line.rawValue,
                RefusalLog.Origin(
                    key: key.publicKey, requestor: caller.requestor,
                    network: self.addresses.address(of: request).prefix, request: request.id), isServed: true, now: now)
        }
        return .caller(caller)
    }

    /// Steps 8 and 9 for requestors that ask for more: the header is for this call and counts once.
    private func verifyStrictly(
        _ header: SignedRequestHeader, _ key: Credentials.Key, _ request: HTTPRequest, _ caller: Caller,
        until: Timestamp, now: Timestamp
    ) throws(WireError) -> Outcome {
        guard Self.isOfRequest(header, request) else {
            self.mismatches.increment()
            throw .notAuthorized.because(.line)
        }
        let question = Undecided.Question.nonce(header.nonce, publicKey: key.publicKey, until: until, caller)
        return .undecided(Undecided(question: question, now: now))
    }

    /// Whether verb and URI are the request's.
    private static func isOfRequest(_ header: SignedRequestHeader, _ request: HTTPRequest) -> Bool {
        header.matches(method: request.method.text, path: request.pathBytes.span)
    }
}
