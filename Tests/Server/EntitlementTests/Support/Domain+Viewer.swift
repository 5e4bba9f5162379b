import Clientless
import Cryptography
import Entitlement

extension Guesser {
    /// A viewer of the household that most tests are about.
    static let viewer = Guesser(.v4(0xC633_6401))
    /// The box of that household.
    static let box = Guesser(.v4(0xC000_020A))
}

// The calls as the one viewer makes them, for tests that are not about guessing.
extension Codes {
    func codeStanding(
        of code: RegistrationCodeText, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> CodeStanding {
        try await self.codeStanding(of: code, requestor: requestor, by: .viewer, now: now)
    }

    func codeStandingInMemory(
        of code: RegistrationCodeText, requestor: RequestorID, now: Timestamp
    ) -> CodeStanding? {
        (try? self.codeStandingInMemory(of: code, requestor: requestor, by: .viewer, now: now)) ?? nil
    }
}

extension Logins {
    func begin(_ request: LoginRequest, now: Timestamp) async throws(EntitlementError) -> LoginStart {
        try await self.begin(request, by: .viewer, now: now)
    }

    func confirm(_ token: String, browser: Secret, now: Timestamp) async throws(EntitlementError) -> LoginView {
        try await self.confirm(token, browser: browser, by: .viewer, now: now)
    }

    func decline(code: RegistrationCodeText, now: Timestamp) async throws(EntitlementError) {
        try await self.decline(code: code, by: .viewer, now: now)
    }
}
