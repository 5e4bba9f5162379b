import Clientless
import Entitlement
import HTTPServer
import Synchronization

// Access to the console: for who comes from this machine, and who signed in with a credential that manages all.
extension OperatorConsole {
    /// However busy the operator is, a day's work ends.
    private static let lifetime: Duration = .seconds(12 * 3600)
    /// The most who are signed in at a time; the one whose time ends first makes room.
    private static let mostSessions = 256
    /// The cookie by which the console knows a browser again; the forms' tokens are bound to it.
    static let cookie = PageCookie("latchkey-console", lifetime: nil, isStrict: true)

    /// The operator as the audit log calls them, whether they signed in, and so can sign out, and whether they may revoke
    /// credentials.
    typealias Operator = (name: String, isSignedIn: Bool, mayRevoke: Bool)

    /// The operator who sent `request`; `nil` for a caller who has to sign in first.
    /// - Throws: `storeUnavailable`.
    func `operator`(
        of request: HTTPRequest, _ session: BrowserSession, now: Timestamp
    ) async throws(EntitlementError) -> Operator? {
        if !self.parts.asksEveryone, Self.isOfThisMachine(request) {
            return (self.parts.localName(request), false, true)
        }
        guard !session.isNew else { return nil }
        let hash = self.parts.domain.keys.sessionHash(session.identity)
        guard let (client, ends) = self.sessions.withLock({ $0[hash] }), now < ends else { return nil }
        // A credential that was revoked meanwhile ends its sessions.
        guard case .active(let active) = try await self.parts.domain.credentials.client(client, at: now),
            self.managesAll(active.application)
        else {
            self.sessions.withLock { $0[hash] = nil }
            return nil
        }
        return ("console, client \(client)", true, active.application.grantedScopes.contains(.credentials))
    }

    /// Whether the caller's own programs are on this machine, as far as can be seen.
    ///
    /// A proxy makes foreign callers look local. Most say so, or pass on the name that they asked for; a plain one does
    /// neither, so on a port those of this machine sign in unless the operator wants it otherwise. A page of a foreign
    /// site whose name leads to this machine is known by the name.
    private static func isOfThisMachine(_ request: HTTPRequest) -> Bool {
        guard request.remoteAddress.isLoopback, !request.isMarkedAsForwarded, let host = request.headers["Host"]
        else { return false }
        return PublicHost.isLoopback(authority: host)
    }

    /// Signs in with the ID and the secret of a management client; `nil` if that may not manage everything.
    /// - Throws: `storeUnavailable`.
    func signIn(_ client: String, _ secret: String, now: Timestamp) async throws(EntitlementError) -> BrowserSession? {
        guard (1...256).contains(client.utf8.count), (1...256).contains(secret.utf8.count),
            let active = try await self.parts.domain.credentials.authenticateClient(client, secret: secret, now: now),
            self.managesAll(active.application)
        else { return nil }
        // Another secret than before: a planted cookie must not become a session.
        let session = BrowserSession(in: Self.cookie)
        let hash = self.parts.domain.keys.sessionHash(session.identity)
        self.sessions.withLock { all in
            all = all.filter { now < $0.value.ends }
            if all.count >= Self.mostSessions, let first = all.min(by: { $0.value.ends < $1.value.ends })?.key {
                all[first] = nil
            }
            all[hash] = (active.record.clientID, now + Self.lifetime)
        }
        return session
    }

    /// The console shows what is of every requestor, and ends what boxes have.
    private func managesAll(_ application: ApplicationRecord) -> Bool {
        application.grantedScopes.contains(.devices)
            && Remit(of: application).coversAll(of: self.parts.domain.catalogue)
    }
}
