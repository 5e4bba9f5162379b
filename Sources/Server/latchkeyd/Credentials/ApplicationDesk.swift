import CommandLineTool
package import Clientless
package import Cryptography
package import Entitlement

/// Registers applications and signs the software statements that name them (rest-v1 10.1).
package struct ApplicationDesk: Sendable {
    /// What an application is, as the operator says.
    package struct Description: Sendable {
        package let name: String
        package let version: String
        package let requestors: [RequestorID]
        package let redirectTargets: [String]
        package let scopes: [Scope]
        /// A programmer's server uses it on behalf of devices (rest-v1 28.2).
        package let isServerToServer: Bool

        package init(
            name: String, version: String, requestors: [RequestorID], redirectTargets: [String] = [],
            scopes: [Scope], isServerToServer: Bool = false
        ) {
            self.name = name
            self.version = version
            self.requestors = requestors
            self.redirectTargets = redirectTargets
            self.scopes = scopes
            self.isServerToServer = isServerToServer
        }
    }

    private let store: any Store

    package init(store: any Store) {
        self.store = store
    }

    package func issue(_ description: Description, now: Timestamp) async throws -> ApplicationRecord {
        let record = ApplicationRecord(
            softwareID: randomUUID(), name: description.name, version: description.version,
            requestors: description.requestors, redirectTargets: description.redirectTargets,
            scopes: description.scopes.map(\.rawValue), isServerToServer: description.isServerToServer, created: now,
            ends: nil)
        try await self.store.save(
            record, audit: .command("application.create", of: "application \(record.softwareID)", at: now))
        return record
    }

    /// All applications, newest first, revoked ones too.
    package func list() async throws -> [ApplicationRecord] {
        try await self.store.credentials().applications
            .sorted { ($0.created, $0.softwareID) > ($1.created, $1.softwareID) }
    }

    /// A statement for an application that is not revoked.
    package func statement(
        for softwareID: String, issuer: String, key: RSAPrivateKey, now: Timestamp
    ) async throws -> String {
        let record = try await self.find(softwareID)
        if let ends = record.ends, ends <= now {
            throw OperatorError("The application \(softwareID) was revoked at \(ends.timeText).", exitCode: .failure)
        }
        return try Self.statement(for: record, issuer: issuer, key: key, now: now)
    }

    package static func statement(
        for record: ApplicationRecord, issuer: String, key: RSAPrivateKey, now: Timestamp
    ) throws -> String {
        try SoftwareStatement(softwareID: record.softwareID, issuer: issuer, issuedAt: now, notBefore: now)
            .signed(by: key)
    }

    /// Withdraws an application: its statements and installations are refused from now on.
    package func revoke(_ softwareID: String, now: Timestamp) async throws -> ApplicationRecord {
        let audit = AuditEntry.command("application.revoke", of: "application \(softwareID)", at: now)
        guard let ended = try await self.store.endApplication(softwareID, at: now, audit: audit)
        else { throw Self.unknown }
        return ended
    }

    private func find(_ softwareID: String) async throws -> ApplicationRecord {
        guard
            let record = try await self.store.credentials().applications.first(where: { $0.softwareID == softwareID })
        else { throw Self.unknown }
        return record
    }

    private static var unknown: OperatorError {
        OperatorError(
            "There is no application with this software ID.",
            advice: "'latchkeyd keys application list' shows all of them.", exitCode: .failure)
    }
}
