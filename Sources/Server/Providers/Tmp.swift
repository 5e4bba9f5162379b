package import Cryptography
package import Entitlement
package import Clientless
package enum PasswordHash { package static func make(_ s: Secret) throws -> String { "x\(SecureRandom.bytes(4))" } }
package enum AccountName { package static func canonical(_ s: String) -> String? { s.lowercased() } }
package struct LocalProvider: Provider { package init(accounts: any AccountStore) {} 
 package func begin(_ login: ProviderLoginContext) async throws(ProviderError) -> ProviderHandover { .signInPage }
 package func complete(_ login: ProviderLoginContext, with response: ProviderResponse, now: Timestamp) async throws(ProviderError) -> ProviderVerdict { .refused(reason: nil) }
 package func decide(_ resources: [Resource], requestor: RequestorID, session: ProviderSession, now: Timestamp) async throws(ProviderError) -> [Decision] { [] } }
