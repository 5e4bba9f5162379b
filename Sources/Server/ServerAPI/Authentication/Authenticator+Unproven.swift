package import Clientless
import Entitlement
package import HTTPServer

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
            return (try? header.check(now: now, window: self.window)) != nil ? name : nil
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
    func presumedRequestor(of request: HTTPRequest, named name: String?) -> RequestorID? {
        if let known = name.flatMap({ self.requestors[$0] }) { return known }
        guard let text = request.headers["Authorization"], let header = try? SignedRequestHeader(text)
        else { return nil }
        return self.requestors[header.requestor]
    }
}
