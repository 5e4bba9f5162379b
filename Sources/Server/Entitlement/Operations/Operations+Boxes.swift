package import Clientless
import Cryptography

// Boxes as operators look for them: by whom they are used, and by the name that the audit log gives them.
extension Operations {
    /// How many sign-ins are read for one list at most.
    private static let mostSignInsRead = 100_000

    /// The boxes with a sign-in that is selected, the one with the newest first.
    /// - Parameters:
    ///   - moment: leaves out boxes whose selected sign-ins are all over then; `nil` leaves out none.
    ///   - limit: the most boxes.
    /// - Returns: also whether there are more.
    package func boxes(
        _ selection: AuthNSelection, currentAt moment: Timestamp? = nil, limit: Int
    ) async throws(EntitlementError) -> (boxes: [SignedInBox], hasMore: Bool) {
        var current = selection
        current.endingAfter = moment
        var (devices, known): ([DeviceHash], Set<DeviceHash>) = ([], [])
        var (last, read): (AuthNRecord?, Int) = (nil, 0)
        repeat {
            let page = try await stored(await self.store.newestAuthentications(current, before: last, limit: Self.page))
            for record in page where known.insert(record.context.device).inserted {
                devices.append(record.context.device)
            }
            read += page.count
            last = page.count == Self.page ? page.last : nil
        } while last != nil && devices.count <= limit && read < Self.mostSignInsRead
        var boxes: [SignedInBox] = []
        for device in devices.prefix(limit) {
            let signIns = try await self.signIns.storedAuthentications(of: device).filter(selection.selects)
            if !signIns.isEmpty { boxes.append(self.described(SignedInBox(device: device, signIns: signIns))) }
        }
        return (boxes, last != nil || devices.count > limit)
    }

    /// The boxes whose selected sign-ins were ended, the one with the last end first; without sign-ins that go on.
    /// - Parameter limit: the most sign-ins.
    package func boxes(
        ended selection: AuthNSelection, limit: Int
    ) async throws(EntitlementError) -> (boxes: [SignedInBox], hasMore: Bool) {
        let selected = EndedSelection(
            devices: selection.devices, mvpd: selection.mvpd, userID: selection.userID, requestor: selection.requestor,
            since: selection.since, before: selection.before)
        let ended = try await stored(await self.store.endedSignIns(selected, limit: limit + 1))
        var (devices, signIns): ([DeviceHash], [DeviceHash: [EndedSignIn]]) = ([], [:])
        for signIn in ended.prefix(limit) {
            if signIns[signIn.device] == nil { devices.append(signIn.device) }
            signIns[signIn.device, default: []].append(signIn)
        }
        return (devices.map { SignedInBox(device: $0, signIns: [], ended: signIns[$0] ?? []) }, ended.count > limit)
    }

    /// The kept part of the boxes whose name begins with `name`, with all their sign-ins, expired and ended ones too.
    /// - Parameter name: as ``SignedInBox/handle``, or the first digits of it.
    package func boxes(named name: BoxName) async throws(EntitlementError) -> [SignedInBox] {
        let (kept, gone) = (AuthNSelection(devices: name.devices), EndedSelection(devices: name.devices))
        let signIns = try await stored(await self.store.newestAuthentications(kept, before: nil, limit: Self.page))
        let ended = try await stored(await self.store.endedSignIns(gone, limit: Self.page))
        var boxes: [SignedInBox] = []
        for device in Set(signIns.map(\.context.device) + ended.map(\.device)) {
            if let box = try await self.box(device) { boxes.append(box) }
        }
        return boxes.sorted { $0.handle.description < $1.handle.description }
    }

    /// The box that calls itself `device`, with all its sign-ins; `nil` if nothing is kept of it.
    package func box(_ device: DeviceID) async throws(EntitlementError) -> SignedInBox? {
        try await self.box(self.keys.deviceHash(device))
    }

    private func box(_ device: DeviceHash) async throws(EntitlementError) -> SignedInBox? {
        let signIns = try await self.signIns.storedAuthentications(of: device)
        let ended = try await stored(
            await self.store.endedSignIns(EndedSelection(device: device), limit: Self.mostEnded))
        guard !signIns.isEmpty || !ended.isEmpty else { return nil }
        return self.described(SignedInBox(device: device, signIns: signIns, ended: ended))
    }

    /// How many ended sign-ins of one box are told.
    private static let mostEnded = 50

    /// All decisions stored for a box, newest first, expired ones too.
    package func decisions(of device: DeviceHash) async throws(EntitlementError) -> [AuthZRecord] {
        try await stored(await self.store.authorizations(of: device))
    }

    /// A box whose sealed sessions cannot be read is listed all the same: without a name.
    private func described(_ box: SignedInBox) -> SignedInBox {
        var described = box
        for record in box.signIns {
            guard let kept = try? self.signIns.keptSession(of: record).box else { continue }
            described.label = described.label ?? kept.name
            described.model = described.model ?? kept.model
        }
        return described
    }
}

/// A box with sign-ins, as operators see it.
package struct SignedInBox: Hashable, Sendable {
    package let device: DeviceHash
    /// Those that were asked for, newest first.
    package let signIns: [AuthNRecord]
    /// Those that were ended, the one that ended last first. If there is none, there is a sign-in.
    package fileprivate(set) var ended: [EndedSignIn] = []
    /// The box's own name; `nil` if it said nothing.
    package fileprivate(set) var label: String?
    package fileprivate(set) var model: String?
    /// The names of viewers whose accounts are here, by pseudonym, once they are looked up.
    package var accountNames: [String: String] = [:]

    package var handle: BoxHandle { self.device.handle }
    package var name: String { self.handle.description }
    /// The requestor of the newest sign-in, else of the one that ended last.
    package var newestRequestor: RequestorID { self.signIns.first?.requestor ?? self.ended[0].requestor }
}

/// The text that an operator types for a box: some or all hex digits of its hash, with or without hyphens and blanks.
package struct BoxName: Hashable, Sendable {
    package static let lengths = 8...64

    let digits: String

    /// - Returns: `nil` for a text that names no box.
    package init?(_ text: String) {
        let digits = text.lowercased().filter { $0 != "-" && $0 != " " }
        guard Self.lengths.contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.digits = digits
    }

    /// The devices whose hash begins with the digits: few, as there are eight or more.
    var devices: ClosedRange<DeviceHash> {
        func filled(with digit: String) -> DeviceHash {
            let rest = String(repeating: digit, count: Self.lengths.upperBound - self.digits.utf8.count)
            return DeviceHash(bytes: Hex.decode(self.digits + rest) ?? [])
        }
        return filled(with: "0")...filled(with: "f")
    }
}

/// The boxes and viewers that the store has of one requestor or provider that a catalogue lacks.
package struct Strays: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        case requestor(RequestorID)
        case provider(MVPDID)
    }

    package let owner: Owner
    /// Those that have not ended.
    package var keyPairs = 0
    package var accounts = 0
    /// Those of the newest 500 that have not expired.
    package var signIns = 0
}

extension Operations {
    /// The boxes and viewers of requestors and providers that `catalogue` lacks, such as after an ID was changed in its
    /// file; by ID, requestors first.
    package func strays(from catalogue: Catalogue, now: Timestamp) async throws(EntitlementError) -> [Strays] {
        let keyPairs = try await stored(await self.store.credentials()).keyPairs.filter { $0.isActive(at: now) }
        let accounts = try await stored(await self.store.accounts())
        let signIns = try await stored(
            await self.store.newestAuthentications(AuthNSelection(endingAfter: now), before: nil, limit: Self.page))
        let requestors = Set(keyPairs.flatMap(\.requestors) + signIns.map(\.requestor))
            .filter { catalogue.requestor($0) == nil }.sorted { $0.text < $1.text }
        let providers = Set(accounts.map(\.mvpd) + signIns.map(\.mvpd))
            .filter { catalogue.mvpd($0) == nil }.sorted { $0.text < $1.text }
        return requestors.map { id in
            Strays(
                owner: .requestor(id), keyPairs: keyPairs.count { $0.requestors.contains(id) },
                signIns: signIns.count { $0.requestor == id })
        }
            + providers.map { id in
                Strays(
                    owner: .provider(id), accounts: accounts.count { $0.mvpd == id },
                    signIns: signIns.count { $0.mvpd == id })
            }
    }
}
