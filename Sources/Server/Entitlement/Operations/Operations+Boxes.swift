package import Clientless
import Cryptography

// Boxes as operators look for them: by whom they are used, and by the name that the audit log gives them.
extension Operations {
    /// The most sign-ins that are read for one list.
    package static let mostSignInsRead = 100_000

    /// The boxes with a sign-in that is selected, the one with the newest first.
    /// - Parameters:
    ///   - moment: leaves out boxes whose selected sign-ins are all over then; `nil` leaves out none.
    ///   - limit: the most boxes.
    /// - Returns: also whether there are more.
    /// - Throws: `storeUnavailable`.
    package func boxes(
        _ selection: SignInSelection, currentAt moment: Timestamp? = nil, limit: Int
    ) async throws(EntitlementError) -> (boxes: [SignedInBox], hasMore: Bool) {
        var signIns: [DeviceHash: [AuthNRecord]] = [:]
        let isCut = try await self.forEachSignIn(selection, most: Self.mostSignInsRead) {
            signIns[$0.context.device, default: []].append($0)
        }
        if let moment { signIns = signIns.filter { $0.value.contains { $0.isCurrent(at: moment) } } }
        let boxes = signIns.map { device, records in
            SignedInBox(device: device, signIns: records.sorted { ($0.created, $0.id.text) > ($1.created, $1.id.text) })
        }.sorted { ($0.newest, $0.name) > ($1.newest, $1.name) }
        return (boxes.prefix(limit).map { self.described($0) }, isCut || boxes.count > limit)
    }

    /// What is kept of the boxes whose name begins with `name`, with all their sign-ins, expired ones too.
    /// - Parameter name: as ``SignedInBox/name``, or the first digits of it.
    /// - Throws: `storeUnavailable`.
    package func boxes(named name: BoxName) async throws(EntitlementError) -> [SignedInBox] {
        var devices: Set<DeviceHash> = []
        if let device = name.device {
            devices.insert(device)
        } else {
            // All of them: a box that is looked for by its name must not be said to be gone.
            _ = try await self.forEachSignIn(.all, most: .max) { record in
                if name.matches(record.context.device) { devices.insert(record.context.device) }
            }
        }
        var boxes: [SignedInBox] = []
        for device in devices {
            let signIns = try await self.signIns.storedAuthentications(of: device)
            if !signIns.isEmpty { boxes.append(self.described(SignedInBox(device: device, signIns: signIns))) }
        }
        return boxes.sorted { $0.name < $1.name }
    }

    /// The box that calls itself `device`, with all its sign-ins; `nil` where nothing is kept of it.
    /// - Throws: `storeUnavailable`.
    package func box(_ device: DeviceID) async throws(EntitlementError) -> SignedInBox? {
        let hash = self.keys.deviceHash(device)
        let signIns = try await self.signIns.storedAuthentications(of: hash)
        return signIns.isEmpty ? nil : self.described(SignedInBox(device: hash, signIns: signIns))
    }

    /// All decisions stored for a box, newest first, expired ones too.
    /// - Throws: `storeUnavailable`.
    package func decisions(of device: DeviceHash) async throws(EntitlementError) -> [AuthZRecord] {
        try await stored(await self.store.authorizations(of: device))
    }

    /// - Parameter most: how many are read at least before the reading ends.
    /// - Returns: whether the reading ended before all were read.
    private func forEachSignIn(
        _ selection: SignInSelection, most: Int, _ body: (AuthNRecord) -> Void
    ) async throws(EntitlementError) -> Bool {
        let selected = selection.inStore(keys: self.keys)
        var (read, last): (Int, AuthNID?) = (0, nil)
        while read < most {
            let page = try await stored(
                await self.store.authentications(selected, after: last, limit: Self.page))
            for record in page { body(record) }
            read += page.count
            guard page.count == Self.page, let next = page.last?.id else { return false }
            last = next
        }
        return true
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
    /// Those that were asked for, newest first; never empty.
    package let signIns: [AuthNRecord]
    /// What the box called itself; `nil` where it said nothing.
    package fileprivate(set) var label: String?
    package fileprivate(set) var model: String?

    fileprivate init(device: DeviceHash, signIns: [AuthNRecord]) {
        self.device = device
        self.signIns = signIns
    }

    /// As the audit log and the server's log call it: 16 hex digits, which say nothing of the device's ID.
    package var name: String { Hex.encode(self.device.bytes.prefix(8)) }

    fileprivate var newest: Timestamp { self.signIns.first?.created ?? Timestamp(milliseconds: 0) }
}

/// What an operator types for a box: some or all hex digits of its hash.
package struct BoxName: Hashable, Sendable {
    package static let lengths = 8...64

    private let digits: String

    /// - Returns: `nil` for a text that names no box.
    package init?(_ text: String) {
        let digits = text.lowercased()
        guard Self.lengths.contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.digits = digits
    }

    /// The box itself, where all digits are there.
    var device: DeviceHash? {
        guard self.digits.utf8.count == Self.lengths.upperBound, let bytes = Hex.decode(self.digits) else { return nil }
        return DeviceHash(bytes: bytes)
    }

    func matches(_ device: DeviceHash) -> Bool { Hex.encode(device.bytes).hasPrefix(self.digits) }
}
