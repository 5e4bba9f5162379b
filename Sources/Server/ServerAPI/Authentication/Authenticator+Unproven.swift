package import Clientless
import Entitlement
package import HTTPServer

extension Authenticator {
    /// Whether a programmer's server makes this call on behalf of a device, so that the address it forwards is the
    /// device's (rest-v1 28.2). It must prove that it is the one: a name alone is no reason to believe an address.
    ///
    /// This is asked before the call is authenticated, for the throttle counts first. It takes no nonce and asks no
    /// store; a client this node has not seen yet counts under its own address once.
    package func isFromServer(_ request: HTTPRequest, now: Timestamp) -> Bool {
        // Every call behind a proxy comes here, and reading its header takes a third of what a whole poll takes.
        guard self.domain.credentials.haveServers else { return false }
        switch AuthorizationScheme(request, request.parameters) {
        case .signedRequest(let text):
            guard let name = SignedRequestHeader.claimedPublicKey(in: text),
                let key = self.domain.credentials.key(name), key.isServerToServer, key.isActive(at: now),
                let header = try? SignedRequestHeader(text), header.isAuthentic(under: key.key)
            else { return false }
            return (try? header.check(now: now, window: self.window)) != nil
        case .bearer(let token):
            guard let claims = self.accessTokens.claims(of: token, now: now),
                case .active(let client) = self.domain.credentials.clientInMemory(claims.clientID, at: now)
            else { return false }
            return client.application.isServerToServer
        case .emptyBearer, .contradiction, .none: return false
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
