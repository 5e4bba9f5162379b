import Clientless
import Entitlement

/// How an identity becomes the columns `kind` and `hash` of `trial_identities`, and they an identity.
enum TrialIdentityColumns {
    static func values(of identity: TrialIdentity) -> [SQLValue] {
        switch identity {
        case .device(let device): [.integer(0), .blob(device.bytes)]
        case .person(let hash): [.integer(1), .blob(hash)]
        }
    }

    static func identity(from row: inout Row) throws(PostgresFailure) -> TrialIdentity {
        switch (try row.integer(), try row.blob()) {
        case (0, let device): return .device(DeviceHash(bytes: device))
        case (1, let hash): return .person(hash)
        default: throw .nonsense("an identity of no known kind")
        }
    }
}
