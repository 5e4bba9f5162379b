package import Clientless

/// The credential with which a box made a sign-in, by the name that revokes it.
package enum BoxCredential: Hashable, Sendable {
    case keyPair(String)
    /// By its software ID, which the statement of every installation names.
    case application(String)

    /// The text that a store keeps.
    package var text: String {
        switch self {
        case .keyPair(let key): "\(Self.keyPair)\(key)"
        case .application(let id): "\(Self.application)\(id)"
        }
    }

    package init?(text: String) {
        if text.hasPrefix(Self.keyPair) {
            self = .keyPair(String(text.dropFirst(Self.keyPair.count)))
        } else if text.hasPrefix(Self.application) {
            self = .application(String(text.dropFirst(Self.application.count)))
        } else {
            return nil
        }
    }

    private static let keyPair = "key/"
    private static let application = "application/"

    package var words: String {
        switch self {
        case .keyPair(let key): "key pair \(key)"
        case .application(let id): "application \(id)"
        }
    }

    package var revocation: String {
        switch self {
        case .keyPair(let key): "latchkeyd keys revoke \(key)"
        case .application(let id): "latchkeyd keys application revoke \(id)"
        }
    }
}

/// A credential of a box, as far as the store still knows it.
package struct UsedCredential: Hashable, Sendable {
    package let credential: BoxCredential
    /// The operator's words for a key pair, or the name of an application; `nil` if there is none.
    package let label: String?
    package let isInUse: Bool
    /// Those that it may speak for; none if the store no longer knows it.
    package let requestors: [RequestorID]

    /// `key pair ABC (Living room), in use`.
    package var sentence: String {
        let label = self.label.map { " (\($0))" } ?? ""
        return "\(self.credential.words)\(label), \(self.isInUse ? "in use" : "revoked")"
    }
}

extension SignedInBox {
    /// The credentials that made its sign-ins, the newest first; what older programs kept has none.
    package var credentials: [BoxCredential] {
        var all: [BoxCredential] = []
        for credential in self.signIns.map(\.credential) + self.ended.map(\.credential) {
            if let credential, !all.contains(credential) { all.append(credential) }
        }
        return all
    }
}

extension Credentials {
    package func used(by box: SignedInBox, now: Timestamp) async throws(EntitlementError) -> [UsedCredential] {
        let (pairs, applications) = (try await self.keyPairs(), try await self.applications())
        return box.credentials.map { credential in
            switch credential {
            case .keyPair(let key):
                let pair = pairs.first { $0.publicKey == key }
                return UsedCredential(
                    credential: credential, label: pair?.label, isInUse: pair?.isActive(at: now) == true,
                    requestors: pair?.requestors ?? [])
            case .application(let id):
                let application = applications.first { $0.softwareID == id }
                return UsedCredential(
                    credential: credential, label: application?.name, isInUse: application?.isActive(at: now) == true,
                    requestors: application?.requestors ?? [])
            }
        }
    }

    /// Takes a credential out of use. One that ended earlier keeps its end.
    /// - Returns: whether there is such a credential.
    package func revoke(
        _ credential: BoxCredential, actor: String, now: Timestamp
    ) async throws(EntitlementError) -> Bool {
        switch credential {
        case .keyPair(let key): try await self.revokeKeyPair(key, actor: actor, now: now) != nil
        case .application(let id): try await self.revokeApplication(id, actor: actor, now: now) != nil
        }
    }
}
