import Clientless
import Entitlement
import HTTPServer

// The HMAC scheme, in the order of rest-v1 7.3. Everything here runs on the connection's own thread.
extension Authenticator {
    func verify(
        signed text: String, _ request: HTTPRequest, for claim: RequestorClaim, now: Timestamp
    ) -> Outcome {
        // Steps 1 to 4.
        guard let header = try? SignedRequestHeader(text), let signedFor = RequestorID(header.requestor)
        else { return .refused(.notAuthorized) }
        // Step 5.
        guard let key = self.pairing.credentials.key(String(header.publicKey)), key.isActive(at: now)
        else { return .refused(.notAuthorized) }
        guard key.requestors.contains(signedFor) else { return .refused(.forbidden) }
        // Steps 6 and 7.
        guard header.isAuthentic(under: key.key), let time = header.time,
            (try? header.check(now: now, window: self.window)) != nil
        else { return .refused(.notAuthorized) }
        // Step 10, before 8 and 9, because how these two are read depends on the requestor.
        let requestor: Requestor
        switch self.requestor(claim, fallback: signedFor, allowed: key.requestors, refusal: .forbidden) {
        case .success(let found):
            guard let found else { return .refused(.missing("requestor")) }
            requestor = found
        case .failure(let error): return .refused(error)
        }
        let caller = Caller(
            credential: .keyPair(publicKey: key.publicKey), requestor: requestor, allowed: key.requestors)
        // A header a strict requestor signed must not become reusable by naming a tolerant one of the same key.
        let isStrict =
            requestor.strictness == .strict
            || self.pairing.catalogue.requestor(signedFor)?.strictness == .strict
        return isStrict
            ? self.verifyStrictly(header, request, caller, until: time + self.window, now: now)
            : self.verifyTolerantly(header, request, caller, until: time + self.window, now: now)
    }

    /// Steps 8 and 9 for deployed clients, which sign one header and send it with several calls.
    private func verifyTolerantly(
        _ header: SignedRequestHeader, _ request: HTTPRequest, _ caller: Caller, until: Timestamp, now: Timestamp
    ) -> Outcome {
        guard
            self.nonces.take(
                header.nonce, publicKey: header.publicKey, signedText: header.signedText, until: until, now: now)
        else { return .refused(.notAuthorized) }
        self.counters.requestLine { header.matches(method: request.method.text, path: request.path) }
        return .caller(caller)
    }

    /// Steps 8 and 9 for requestors that ask for more: the header is for this call and counts once.
    private func verifyStrictly(
        _ header: SignedRequestHeader, _ request: HTTPRequest, _ caller: Caller, until: Timestamp, now: Timestamp
    ) -> Outcome {
        guard header.matches(method: request.method.text, path: request.path) else {
            self.counters.mismatched()
            return .refused(.notAuthorized)
        }
        let question = Undecided.Question.nonce(
            String(header.nonce), publicKey: String(header.publicKey), until: until, caller)
        return .undecided(Undecided(question: question, now: now))
    }
}
