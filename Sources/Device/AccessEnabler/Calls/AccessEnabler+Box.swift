package import Clientless
import Cryptography

// Questions of programs of the box beside the calls of the library; none of it is queued or reported.
extension AccessEnabler {
    /// How a sign-in ended, or that there has been none.
    package enum SignInEnding: String, Sendable, Hashable, CaseIterable {
        case never
        /// A viewer signed out here.
        case signedOut = "signed_out"
        /// A newer sign-in of this device took its place.
        case replaced
        /// The viewer signed it out from another device.
        case signedOutElsewhere = "signed_out_elsewhere"
        case expired
        /// An operator of the server ended it.
        case endedByOperator = "ended_by_operator"
        /// The provider no longer vouches for the account.
        case refusedByProvider = "refused_by_provider"
        /// The sign-in is bound to another device ID, as after the machine got a new one.
        case deviceChanged = "device_changed"
    }

    /// A box that the viewer is signed in on.
    package struct ViewerBox: Sendable, Hashable {
        /// The server's name for it.
        package let handle: String
        /// Its own name; `nil` if the server does not know.
        package let name: String?
        package let model: String?
        /// When the viewer signed in there.
        package let since: Timestamp
        /// When it last asked for something to play; `nil` if the server does not know.
        package let seen: Timestamp?
        package let expires: Timestamp
        package let isThis: Bool
    }

    /// Asks the server whether it accepts the credentials of the box; the configuration alone does not say.
    package func checkCredential() async throws(EntitlementError) {
        try await self.server(about: nil).checkCredential()
    }

    /// Asks the server whether the sign-in in use still stands. One that does not is removed, as after any other call.
    /// - Returns: its provider, and when it runs out; `nil` without one, and then ``signInEnding(of:)`` says why.
    /// - Throws: when the server gives no answer; the sign-in then stays.
    package func checkedSignIn() async throws(EntitlementError) -> (mvpd: MVPD, expires: Timestamp)? {
        guard let signIn = await self.usableSignIn() else { return nil }
        do throws(EntitlementError) {
            try await self.ask(with: signIn) { (server, token) throws(EntitlementError) in
                try await server.checkSignIn(token)
            }
        } catch {
            switch error.code {
            case .sessionExpired, .sessionRevoked, .notSignedIn, .deviceMismatch: return nil
            default: throw error
            }
        }
        return (signIn.facts.mvpd, signIn.token.expires)
    }

    /// The boxes that the viewer is signed in on, with the same account and for the same requestor: this one first, then
    /// the others, the newest sign-in first.
    /// - Throws: `notSignedIn`, `sessionExpired`, `sessionRevoked` or `deviceMismatch` without a sign-in of this box, and
    ///   then ``signInEnding(of:)`` says why.
    package func viewerBoxes() async throws(EntitlementError) -> (boxes: [ViewerBox], hasMore: Bool) {
        guard let signIn = await self.usableSignIn() else { throw EntitlementError(.notSignedIn) }
        return try await self.ask(with: signIn) { (server, token) throws(EntitlementError) in
            try await server.viewerBoxes(token)
        }
    }

    /// ``preauthorize(_:)`` with the cause in place of a status.
    /// - Throws: `notSignedIn` also where the sign-in is over.
    package func decisions(
        _ request: PreauthorizeRequest
    ) async throws(EntitlementError) -> [PreauthorizeResponse.Decision] {
        let response = await self.preauthorize(request)
        guard let cause = response.cause else { return response.decisions }
        throw cause.code == .sessionExpired && cause.status == nil ? EntitlementError(.notSignedIn) : cause
    }

    /// Signs another of the viewer's boxes out.
    /// - Parameter box: as ``viewerBoxes()`` named it.
    /// - Returns: whether the viewer had such a box.
    /// - Throws: what ``viewerBoxes()`` throws.
    package func signOut(box: String) async throws(EntitlementError) -> Bool {
        guard let signIn = await self.usableSignIn() else { throw EntitlementError(.notSignedIn) }
        return try await self.ask(with: signIn) { (server, token) throws(EntitlementError) in
            try await server.signOut(box: box, token)
        }
    }

    /// Asks the server with the sign-in in use. One that no longer stands is removed, as after any other call.
    func ask<Answer: Sendable>(
        with signIn: CurrentSignIn,
        _ question: @Sendable (ServerCall, String) async throws(EntitlementError) -> Answer
    ) async throws(EntitlementError) -> Answer {
        do {
            return try await question(self.server(about: signIn.facts), signIn.token.xml)
        } catch {
            await self.drop(signIn, after: error)
            throw error
        }
    }

    /// How the last sign-in of a requestor ended; `nil` if that is not known, or there has been none.
    package func signInEnding(of requestor: String) async -> SignInEnding? {
        (try? await self.vault.image())?.ending(of: requestor, at: self.serverTime)
    }

    /// Writes a probe to the store and removes it again.
    /// - Throws: where a sign-in could not be kept.
    package func checkStore() async throws(EntitlementError) {
        let probe = Hex.encode(self.settings.randomness.bytes(16))
        try await self.vault.update { $0.add(probe: probe) }
        try await self.vault.update { $0.remove(probe: probe) }
    }

    /// The box's identity at its servers, also before the first configuration.
    package func deviceIdentifier() async throws(EntitlementError) -> String { try await self.deviceID().text }
}

extension AccessEnabler.MetadataValue {
    /// As JSON, the members by name.
    package var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .bool(let flag): .boolean(flag)
        case .array(let values): .array(values.map(\.json))
        case .object(let members): .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
        }
    }
}

extension StoreImage {
    /// How the last sign-in of a requestor ended; `nil` if none did.
    func ending(of requestor: String, at now: Timestamp) -> AccessEnabler.SignInEnding? {
        let branch = self[requestor: requestor]
        guard let id = branch.currentMvpd, let token = branch.mvpds[id]?.authn, token.expires <= now.milliseconds
        else { return self[ending: requestor] }
        return .expired
    }
}

extension EntitlementError {
    /// The reason why the server no longer honours a sign-in; `nil` when the server does not say.
    package var signInEnding: AccessEnabler.SignInEnding? {
        switch self.code {
        case .sessionExpired: .expired
        case .deviceMismatch: .deviceChanged
        default: self.ending
        }
    }
}
