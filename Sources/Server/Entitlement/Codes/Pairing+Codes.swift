package import Clientless
import Cryptography
import Synchronization

extension Pairing {
    /// Issues a code for a box (rest-v1 11.1).
    /// - Throws: `unknownRequestor`, `unknownProvider` when the preselected one is not the requestor's,
    ///   `storeUnavailable`.
    package func createCode(
        _ request: CodeRequest, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord {
        guard self.catalogue.requestor(request.requestor) != nil else { throw EntitlementError(.unknownRequestor) }
        if let mvpd = request.mvpd, self.catalogue.integration(request.requestor, mvpd) == nil {
            throw EntitlementError(.unknownProvider)
        }
        // With 28^7 codes a second draw is rare and a tenth means that the generator is broken.
        for _ in 0..<10 {
            let record = self.record(for: request, code: self.drawCode(), now: now)
            let insertion: CodeInsertion
            do {
                insertion = try await self.store.insert(record, limitPerDevice: self.limits.codesPerDevice, now: now)
            } catch {
                throw EntitlementError(error)
            }
            switch insertion {
            case .taken: continue
            case .inserted(let cancelled):
                for code in cancelled { self.announce(code: code) }
                self.liveCodeEstimate.add(1, ordering: .relaxed)
                let ticket = self.codes.ticket(for: record.code)
                self.codes.remember(LiveCode(record), for: record.code, since: ticket)
                return record
            }
        }
        throw EntitlementError(.internal, detail: "ten drawn codes were all taken")
    }

    /// The record of a code a viewer may still see: open, or completed and not yet expired (rest-v1 11.2).
    /// - Returns: none for a code that is unknown, of another requestor, declined, cancelled or expired, alike.
    package func openCode(
        _ code: RegistrationCodeText, of requestor: RequestorID?, now: Timestamp
    ) async throws(EntitlementError) -> RegistrationRecord? {
        guard let record = try await self.storedCode(code), requestor == nil || record.requestor == requestor
        else { return nil }
        switch record.life.state(at: now) {
        case .waiting, .loggingIn, .confirming, .completed: return record
        case .declined, .cancelled, .expired: return nil
        }
    }

    /// Erases a code; tokens obtained with it stay. Erasing an unknown code is no error (rest-v1 11.3).
    package func deleteCode(_ code: RegistrationCodeText, of requestor: RequestorID?) async throws(EntitlementError) {
        do {
            _ = try await self.store.deleteCode(code, of: requestor)
        } catch {
            throw EntitlementError(error)
        }
        self.announce(code: code)
    }

    func storedCode(_ code: RegistrationCodeText) async throws(EntitlementError) -> RegistrationRecord? {
        do {
            return try await self.store.code(code)
        } catch {
            throw EntitlementError(error)
        }
    }

    private func drawCode() -> RegistrationCodeText {
        var generator = SecureRandomGenerator()
        let length = self.liveCodeEstimate.load(ordering: .relaxed) > self.limits.codesBeforeLongerCodes ? 8 : 7
        while true {
            let code = RegistrationCodeText.random(length: length, using: &generator)
            if !UnwantedCodes.contains(code.text) { return code }
        }
    }

    private func record(
        for request: CodeRequest, code: RegistrationCodeText, now: Timestamp
    ) -> RegistrationRecord {
        RegistrationRecord(
            id: randomUUID(), code: code, requestor: request.requestor, deviceID: request.deviceID,
            context: request.context, mvpd: request.mvpd, registrationURL: request.registrationURL,
            deviceType: request.deviceType, appVersion: request.appVersion, box: request.box,
            application: request.application, life: RegistrationCode(generated: now, expires: now + request.lifetime))
    }
}
