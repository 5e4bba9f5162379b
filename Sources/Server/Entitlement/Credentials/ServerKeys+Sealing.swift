import Cryptography
import FoundationEssentials

/// What a sealed value is for; sealed for one purpose it does not open for another.
enum SealPurpose: String {
    case login, session
}

extension ServerKeys {
    /// Seals what only this server may read again.
    func sealed(_ value: some Encodable, for purpose: SealPurpose) throws(EntitlementError) -> [UInt8] {
        do {
            return try self.seal.seal(Secret(JSONEncoder().encode(value)), authenticating: purpose.rawValue.utf8)
        } catch {
            throw EntitlementError(.internal, detail: "a value could not be sealed")
        }
    }

    /// Opens what ``sealed(_:for:)`` made.
    func opened<Value: Decodable>(
        _ sealed: [UInt8], as type: Value.Type, for purpose: SealPurpose
    ) throws(EntitlementError) -> Value {
        do {
            return try self.seal.open(sealed, authenticating: purpose.rawValue.utf8).withBytes { bytes throws in
                try JSONDecoder().decode(type, from: Data(bytes))
            }
        } catch {
            throw EntitlementError(.internal, detail: "a sealed value could not be opened; was the master key changed?")
        }
    }
}
