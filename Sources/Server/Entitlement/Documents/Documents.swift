package import Clientless
import Cryptography

/// Token documents: what a library keeps on the device and presents again (rest-v1 22, sdk-services 7). A document is
/// honoured only while its record lives.
package struct Documents: DomainPart {
    let parts: DomainParts
    let signer: TokenDocumentSigner
    let signIns: SignIns
    let decisions: Decisions

    /// The AuthN document of a sign-in, bound to the device (rest-v1 22.2).
    /// - Throws: `internal` when it cannot be signed.
    package func authenticationDocument(of record: AuthNRecord, device: DeviceID) throws(EntitlementError) -> String {
        let document = AuthenticationTokenDocument(
            guid: record.id.text, requestor: record.requestor,
            domainName: self.catalogue.requestor(record.requestor)?.domains.first ?? "", expiresAt: record.expires,
            mvpd: record.mvpd, deviceFingerprint: Self.fingerprint(of: device),
            // Old clients read both, and send them back; neither is ever empty.
            nameID: record.userID, sessionIndex: "s-\(record.id.text.prefix(16))")
        return try self.sign { () throws(TokenDocumentError) in try document.element() }
    }

    /// The AuthZ document of a decision, bound to the device (rest-v1 22.3).
    /// - Throws: `internal` when it cannot be signed, or its resource has characters XML cannot carry.
    package func authorizationDocument(of record: AuthZRecord, device: DeviceID) throws(EntitlementError) -> String {
        let document = AuthorizationTokenDocument(
            requestor: record.requestor, resource: record.resource, expiresAt: record.expires, mvpd: record.mvpd,
            deviceFingerprint: Self.fingerprint(of: device))
        return try self.sign { () throws(TokenDocumentError) in try document.element() }
    }

    /// The sign-in behind a presented AuthN document: the one that it was issued for, or the one that followed it when
    /// another requestor of the box signed in at the same provider, since a box has one for all of them (rest-v1 6.2, 6.3).
    ///
    /// - Parameters:
    ///   - device: the device that presents it; `nil` means the one the document is bound to.
    ///   - requestor: the requestor that presents it; `nil` means the one the document was issued to. Another one is
    ///     served as far as sign-ins are shared (rest-v1 6.3, 26).
    ///   - isLogout: whether it is to be ended: its own requestor may do so also while its provider is switched off.
    /// - Throws: `foreignToken`, `deviceMismatch`, `authenticationExpired`, `authenticationRevoked`; `notAuthenticated`
    ///   when the sign-in does not count for `requestor`; `storeUnavailable`.
    package func authentication(
        presenting document: String, device: DeviceID?, requestor: RequestorID?, isLogout: Bool = false, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord {
        let element = try self.signer.element(of: document)
        guard let token = try? AuthenticationTokenDocument(element: element)
        else { throw EntitlementError(.foreignToken) }
        if let device { try Self.check(token.deviceFingerprint, of: device) }
        let (user, isOver) = (requestor ?? token.requestor, token.expiresAt <= now)
        // The first authorization moves the end of a trial, whose document may be older (rest-v1 20.1).
        if !isOver || self.catalogue.mvpd(token.mvpd)?.trial != nil,
            let record = try await self.record(AuthNID(text: token.guid), of: device)
        {
            return isLogout && record.requestor == user ? record : try self.signIns.usable(record, user, now: now)
        }
        guard !isOver else { throw EntitlementError(.authenticationExpired) }
        // A sign-in by a box's account ends alone, also where it has ended before: its successor would be the account.
        let isOwn = isLogout && self.catalogue.integration(user, token.mvpd)?.platform?.takesBoxAccounts == true
        if !isOwn, let device, let record = try await self.successor(of: token, on: device, for: user, now: now) {
            return record
        }
        throw await self.revocation(of: AuthNID(text: token.guid), device: device, mvpd: token.mvpd)
    }

    /// The shared sign-in of another requestor that took the place of the one in a document. A requestor that signs in
    /// anew itself has the new document; its old one is over.
    private func successor(
        of token: AuthenticationTokenDocument, on device: DeviceID, for user: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> AuthNRecord? {
        try await self.signIns.firstAuthentication(of: self.keys.deviceHash(device)) { records in
            records.lazy.filter { !$0.isExclusive && $0.mvpd == token.mvpd && $0.requestor != token.requestor }
                .compactMap { try? self.signIns.usable($0, user, now: now) }.first
        }
    }

    /// The record of a sign-in; without its device the store is asked.
    private func record(_ id: AuthNID, of device: DeviceID?) async throws(EntitlementError) -> AuthNRecord? {
        guard let device else { return try await self.signIns.storedAuthentication(id) }
        return try await self.signIns.authentication(id, of: self.keys.deviceHash(device))
    }

    /// The decision behind a presented AuthZ document, and the sign-in it rests on.
    /// - Throws: `foreignToken` also for another requestor's, `deviceMismatch`, `authorizationExpired` also when the
    ///   decision was withdrawn while the sign-in holds, `authenticationRevoked` when the device has no sign-in for it,
    ///   `notAuthenticated` or `authenticationExpired` when none counts now, `storeUnavailable`.
    package func authorization(
        presenting document: String, device: DeviceID, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> (AuthZRecord, AuthNRecord) {
        let element = try self.signer.element(of: document)
        guard let token = try? AuthorizationTokenDocument(element: element), token.requestor == requestor
        else { throw EntitlementError(.foreignToken) }
        try Self.check(token.deviceFingerprint, of: device)
        guard now < token.expiresAt else { throw EntitlementError(.authorizationExpired) }
        let isSeparate = self.catalogue.integration(requestor, token.mvpd)?.authPerAggregator == true
        let held = try await self.signIns.firstAuthentication(of: self.keys.deviceHash(device)) { records in
            let held = records.filter {
                $0.mvpd == token.mvpd && ($0.requestor == requestor || !$0.isExclusive && !isSeparate)
            }
            return held.isEmpty ? nil : held
        }
        guard let held else { throw await self.revocation(of: nil, device: device, mvpd: token.mvpd) }
        let signIns = held.compactMap { try? self.signIns.usable($0, requestor, now: now) }
        // One that lives and does not count now, such as while its provider is switched off, may count again.
        if signIns.isEmpty { _ = try self.signIns.usable(held[0], requestor, now: now) }
        for signIn in signIns {
            let stored = try await self.decisions.storedDecision(token.resource, of: signIn, requestor, now: now)
            if let stored, self.signIns.isCurrent(stored, now: now) { return (stored, signIn) }
        }
        throw EntitlementError(.authorizationExpired)
    }

    /// The requestor of an AuthN or AuthZ document that this server signed and that is not over, whatever device has it.
    package func requestor(ofLiving document: String, now: Timestamp) async -> RequestorID? {
        guard let element = try? self.signer.element(of: document) else { return nil }
        if let token = try? AuthorizationTokenDocument(element: element) {
            return now < token.expiresAt ? token.requestor : nil
        }
        return try? await self.authentication(presenting: document, device: nil, requestor: nil, now: now).requestor
    }

    private func revocation(of id: AuthNID?, device: DeviceID?, mvpd: MVPDID) async -> EntitlementError {
        var error = EntitlementError(.authenticationRevoked)
        error.ending = await self.signIns.ending(of: id, device: device, mvpd: mvpd)
        return error
    }

    private func sign(_ element: () throws(TokenDocumentError) -> String) throws(EntitlementError) -> String {
        let text: String
        do {
            text = try element()
        } catch {
            throw EntitlementError(.internal, detail: "a document cannot say \(error.element ?? "what it has to")")
        }
        return try self.signer.document(signing: text).text
    }

    /// SHA-256 of the device ID, lower-case hex (rest-v1 22.2).
    private static func fingerprint(of device: DeviceID) -> String { Hex.encode(Digest.sha256(device.text.utf8)) }

    private static func check(_ fingerprint: String, of device: DeviceID) throws(EntitlementError) {
        guard constantTimeEqual(fingerprint.utf8, Self.fingerprint(of: device).utf8)
        else { throw EntitlementError(.deviceMismatch) }
    }

    // The name of a device, and the proof that this server gave it (sdk-services 2).

    /// The device ID of a fingerprint: lower-case hex, the same on every node.
    package func individualDeviceID(of fingerprint: String) -> String {
        Hex.encode(self.keys.individuals.hash(of: fingerprint))
    }

    /// The `pass_sfp` of a device.
    /// - Throws: `internal` when it cannot be signed.
    package func passDocument(for device: DeviceID, now: Timestamp) throws(EntitlementError) -> String {
        try DevicePass.text(for: device, now: now, signer: self.signer)
    }

    /// Refuses a pass of another device. One that cannot be verified is as none: a pass may be left out, so refusing it
    /// would protect nothing, and lock out clients that kept theirs while keys rotated.
    /// - Throws: `deviceMismatch`.
    package func checkPass(_ pass: String, device: DeviceID) throws(EntitlementError) {
        guard !DevicePass.isForeign(pass, to: device, signer: self.signer)
        else { throw EntitlementError(.deviceMismatch) }
    }
}
