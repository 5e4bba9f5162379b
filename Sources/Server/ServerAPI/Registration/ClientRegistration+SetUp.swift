import Clientless
import Cryptography
import Entitlement
import HTTPServer

// `POST /o/client/setup`: a new box exchanges its set-up code for its configuration. An extension of this server.
extension ClientRegistration {
    static let setUpEndpoints: [Endpoint<ClientRegistration>] = [
        Endpoint(
            [.init(.post, "/o/client/setup", "setUpBox")], name: "client-setup", .registration,
            "Exchange a set-up code for a box's configuration",
            "A code is good for one exchange. Unknown, used and expired ones are told alike, and counted against the "
                + "caller's address.",
            section: "an extension of this server", requestor: .nowhere, limits: .registration, bodyLimit: .page,
            fields: [
                .required(
                    "setup_code", .text(12...64, pattern: "^[A-Za-z0-9 -]{12,64}$"),
                    "Twelve letters and digits in any case, as the operator saw them; spaces and hyphens do not count."),
                .optional(
                    "nonce", .text(22...64, pattern: "^[!-~]*$"),
                    "Made up by the box. With the same one it may ask again within a minute if the answer was lost."
                ),
            ],
            answers: [
                .registration(200, "The configuration; told this once.", .named("BoxConfiguration")),
                .registrationFailure(
                    400, "The call is malformed, or the code is not good, or no longer.", "invalid_request",
                    "invalid_grant"),
            ] + APIAnswer.registrationFailures, errors: .oauth,
            handler: .open { face, call in .oauth(try await face.setUp(call), status: .ok) })
    ]

    private func setUp(_ call: Call) async throws -> WireObject {
        guard !call.request.parameters.hasRepeatedName else { throw OAuthError.repeatedName }
        guard let typed = call.parameters["setup_code"], !typed.isEmpty else {
            throw OAuthError.parameter("setup_code")
        }
        guard let code = SetUpCodeText(typed) else { throw OAuthError.invalidGrant }
        let credential = try await self.domain.setUpCodes.redeem(
            code, nonce: try self.nonce(in: call), by: Guesser(self.addresses.address(of: call.request).network),
            now: call.now
        ) { (application) throws(EntitlementError) in try self.statement(of: application, at: call.now) }
        let network = [
            ("certificateAuthority", self.settings.boxes.certificateAuthority), ("proxy", self.settings.boxes.proxy),
        ].compactMap { name, value in value.map { WireObject.Member(name, .string($0)) } }
        return WireObject(
            [.init("server", .string(self.settings.publicURL))] + Self.members(of: credential) + network)
    }

    private func nonce(in call: Call) throws(OAuthError) -> String? {
        guard let nonce = call.parameters["nonce"], !nonce.isEmpty else { return nil }
        guard (22...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .parameter("nonce") }
        return nonce
    }

    private func statement(of application: ApplicationRecord, at now: Timestamp) throws(EntitlementError) -> String {
        guard let key = self.statementKey() else {
            throw EntitlementError(.internal, detail: "there is no key for software statements")
        }
        return try self.domain.credentials.statement(
            for: application, issuer: self.statements.issuer, signingWith: key, now: now)
    }

    private static func members(of credential: SetUpCredential) -> [WireObject.Member] {
        switch credential {
        case .keyPair(let issued):
            [
                .init("requestors", .array(issued.record.requestors.map { .string($0.text) })),
                .init("publicKey", .string(issued.record.publicKey)),
                .init("privateKey", .string(issued.privateKey.withBytes { String(decoding: $0, as: UTF8.self) })),
            ]
        case .softwareStatement(let statement, let requestor):
            [
                .init("requestors", .array([.string(requestor.text)])),
                .init("softwareStatement", .string(statement)),
            ]
        }
    }
}
