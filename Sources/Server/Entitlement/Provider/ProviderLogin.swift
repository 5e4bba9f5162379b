package import Clientless
import Cryptography
import FoundationEssentials

/// A viewer a provider vouched for.
package struct ProviderLogin: Hashable, Sendable, Decodable {
    /// The longest ``upstreamUserID`` and ``sessionName``, in bytes.
    package static let maximumName = 1024

    /// The provider's own, stable ID of the viewer.
    package let upstreamUserID: String
    package let session: ProviderSession
    /// The provider's name for this session when it ends it itself (`sid`, `SessionIndex`); `nil` when it does not say.
    /// Only a keyed hash of it is kept in clear.
    package let sessionName: String?
    /// When the sign-in ends at the provider; `nil` leaves that to the integration. It shortens, and never lengthens.
    package var until: Timestamp?
    /// The provider's word on the viewer, by the keys of rest-v1 19.
    package var metadata: [String: MetadataValue]
    /// The mark that makes the provider's word count once; `nil` when the login's own state does.
    package var once: CheckedNotice.Once?
    /// Why the provider's settings may be wrong although the viewer is in, for the log.
    package var doubt: String?
    /// When the login began from which this one goes on without a password, in the same browser; `nil` if it is none.
    var recentSince: Timestamp?

    package init(
        upstreamUserID: String, session: ProviderSession, sessionName: String? = nil, until: Timestamp? = nil,
        metadata: [String: MetadataValue] = [:], once: CheckedNotice.Once? = nil
    ) {
        self.upstreamUserID = upstreamUserID
        self.session = session
        self.sessionName = sessionName
        self.until = until
        self.metadata = metadata
        self.once = once
    }

    var json: JSONValue {
        .members([
            "upstreamUserID": .string(self.upstreamUserID), "session": self.session.json,
            "sessionName": self.sessionName.map { .string($0) }, "until": self.until?.json,
            "metadata": self.metadata.json, "once": self.once?.json, "doubt": self.doubt.map { .string($0) },
            "recentSince": self.recentSince?.json,
        ])
    }

    /// - Throws: `providerUnavailable` when it is longer than anything a provider should say, or over already.
    func check(at now: Timestamp) throws(EntitlementError) {
        guard self.upstreamUserID.utf8.count <= Self.maximumName,
            self.sessionName.map({ (1...Self.maximumName).contains($0.utf8.count) }) ?? true,
            self.session.bytes.count <= ProviderSession.maximumSize
        else {
            throw EntitlementError(ProviderError(.misconfigured, detail: "a name or session of a viewer is too long"))
        }
        guard self.until.map({ now < $0 }) ?? true
        else { throw EntitlementError(ProviderError(.unproven, detail: "the sign-in ended before it came")) }
    }
}

/// The kept part of a login with its AuthN record, sealed.
package struct KeptSession: Hashable, Sendable, Decodable {
    package var session: ProviderSession
    package let upstreamUserID: String
    package var metadata: [String: MetadataValue]
    /// When the metadata was last set.
    package var updated: Timestamp
    /// The box's own facts; `nil` when it was not asked.
    package var box: KeptBox?
    /// Since when the provider calls the session over, though it may be that another node is about to keep its successor.
    package var doubtedSince: Timestamp?
    /// As ``ProviderLogin/recentSince`` says it.
    var recentSince: Timestamp?

    package init(_ login: ProviderLogin, updated: Timestamp, box: KeptBox?) {
        self.session = login.session
        self.upstreamUserID = login.upstreamUserID
        self.metadata = login.metadata
        self.updated = updated
        self.box = box
        self.recentSince = login.recentSince
    }
}

extension KeptSession: Sealable {
    var json: JSONValue {
        .members([
            "session": self.session.json, "upstreamUserID": .string(self.upstreamUserID),
            "metadata": self.metadata.json, "updated": self.updated.json, "box": self.box?.json,
            "doubtedSince": self.doubtedSince?.json, "recentSince": self.recentSince?.json,
        ])
    }
}

/// The kept part of a box with its sign-in, so that its viewer knows it again in a list.
package struct KeptBox: Hashable, Sendable, Decodable {
    /// In bytes of UTF-8; a list has many of them.
    static let maximumTextLength = 128

    /// The box's own name, or its viewer calls it.
    package private(set) var name: String?
    package private(set) var model: String?
    /// The network part of the address it asked from (``network(of:)``), and no more; `nil` without one.
    package private(set) var network: String?
    /// Its viewer confirmed a code that was read out to them; `nil` is no.
    private var readOut: Bool?
    /// Its viewer gave it the name; `nil` is no.
    private(set) var isNamed: Bool?
    /// Its kind in reports; `nil` for a box of which nothing is known.
    private(set) var kind: BoxModel?

    package init(_ box: BoxDescription, deviceType: String? = nil, isReadOut: Bool = false) {
        self.name = box.name?.prefix(bytes: Self.maximumTextLength)
        self.model = box.model?.prefix(bytes: Self.maximumTextLength)
        self.network = Self.network(of: box.address)
        self.readOut = isReadOut ? true : nil
        self.kind = BoxModel(box, deviceType: deviceType)
    }

    /// A box of which nothing is known.
    init() {}

    package var isReadOut: Bool { self.readOut == true }

    var json: JSONValue {
        .members([
            "name": self.name.map { .string($0) }, "model": self.model.map { .string($0) },
            "network": self.network.map { .string($0) }, "readOut": self.readOut.map { .boolean($0) },
            "kind": self.kind?.json, "isNamed": self.isNamed.map { .boolean($0) },
        ])
    }

    /// The same box under the name that its viewer gives it, if any.
    func named(_ name: String?) -> KeptBox {
        var copy = self
        if let name { (copy.name, copy.isNamed) = (name.prefix(bytes: Self.maximumTextLength), true) }
        return copy
    }

    /// `192.0.2.0` of an IPv4 address, the first 64 bits of an IPv6 address: enough to recognise a home.
    /// - Returns: `nil` if it is no such address, or this machine's own.
    static func network(of address: String) -> String? {
        guard address != "::1", !address.hasPrefix("127.") else { return nil }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4, parts.allSatisfy({ $0.utf8.count <= 3 && UInt8($0) != nil }) {
            return parts.dropLast().joined(separator: ".") + ".0"
        }
        guard address.utf8.count <= 64, address.contains(":"), !address.contains(".") else { return nil }
        let plain = address.prefix { $0 != "%" }
        let halves = plain.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        var groups: [Substring] = halves[0].split(separator: ":")
        if halves.count == 2 {
            guard !halves[1].contains("::") else { return nil }
            let tail = halves[1].split(separator: ":")
            let zeros: [Substring] = Array(repeating: "0", count: max(0, 8 - groups.count - tail.count))
            groups += zeros + tail
        }
        guard groups.count == 8, groups.allSatisfy({ $0.utf8.count <= 4 && UInt16($0, radix: 16) != nil })
        else { return nil }
        return groups.prefix(4).joined(separator: ":") + "::"
    }
}

/// Bytes that a provider needs again to decide, refresh or log out; the domain does not look into them.
/// Kept sealed under the server's key.
package struct ProviderSession: Hashable, Sendable, Decodable {
    package static let maximumSize = 16_384

    package let bytes: [UInt8]

    /// - Throws: `misconfigured` when it is longer than ``maximumSize``.
    package init(_ bytes: some Collection<UInt8>) throws(ProviderError) {
        guard bytes.count <= Self.maximumSize
        else { throw ProviderError(.misconfigured, detail: "a session of \(bytes.count) bytes") }
        self.bytes = Array(bytes)
    }

    /// A session that is nothing but the account at the provider.
    package init(account: String) { self.bytes = Array(account.utf8) }

    /// The account that ``init(account:)`` was given.
    package var account: String { String(decoding: self.bytes, as: UTF8.self) }

    private enum Key: String, CodingKey { case account, bytes }

    // Text stays text, which is shorter than the same in Base64.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let text = try values.decodeIfPresent(String.self, forKey: .account) {
            self.bytes = Array(text.utf8)
        } else {
            self.bytes = Array(try values.decode(Data.self, forKey: .bytes))
        }
    }

    var json: JSONValue {
        if let text = String(validating: self.bytes, as: UTF8.self) {
            ["account": .string(text)]
        } else {
            ["bytes": .string(Base64.encode(self.bytes))]
        }
    }
}

/// A provider's answer about a session, and the session as it is now.
package struct ProviderAnswer<Value: Sendable>: Sendable {
    package let value: Value
    /// `nil` when the session is as it was.
    package let session: ProviderSession?
    /// The viewer's metadata as of now; `nil` when the provider did not send them anew.
    package let metadata: [String: MetadataValue]?
    /// The channels of the viewer's account, if the provider looked it up in this server's own store to answer. They hold
    /// until an account changes (``StoreChange/accounts``).
    package let lineUp: LineUp?

    package init(
        _ value: Value, session: ProviderSession? = nil, metadata: [String: MetadataValue]? = nil,
        lineUp: LineUp? = nil
    ) {
        self.value = value
        self.lineUp = lineUp
        self.session = session
        self.metadata = metadata
    }
}
