package import Clientless

/// A value of user metadata: a text, a list of texts, or texts by name (rest-v1 19).
package enum MetadataValue: Hashable, Sendable, Decodable {
    case text(String)
    case list([String])
    /// In the order they are shown.
    case map([NamedText])

    /// As the compiler's own coding has it.
    var json: JSONValue {
        switch self {
        case .text(let text): ["text": ["_0": .string(text)]]
        case .list(let texts): ["list": ["_0": .texts(texts)]]
        case .map(let entries):
            ["map": ["_0": .array(entries.map(\.json))]]
        }
    }
}

extension MetadataValue {
    /// - Returns: `nil` for anything but ``json``.
    fileprivate init?(_ json: JSONValue) {
        if let text = json["text"]?["_0"]?.string {
            self = .text(text)
        } else if let texts = json["list"]?["_0"]?.texts {
            self = .list(texts)
        } else if let entries = json["map"]?["_0"]?.array {
            self = .map(entries.map { NamedText($0["name"]?.string ?? "", $0["value"]?.string ?? "") })
        } else {
            return nil
        }
    }
}

extension [String: MetadataValue] {
    /// - Returns: `nil` for anything but ``json``.
    package init?(_ json: JSONValue?) {
        guard case .object(let members) = json else { return nil }
        self.init()
        for member in members {
            guard let value = MetadataValue(member.value) else { return nil }
            self[member.name] = value
        }
    }

    package var json: JSONValue { .object(self.map { JSONValue.Member($0.key, $0.value.json) }) }
}

/// A text of a map, a form or a query, by its name.
package struct NamedText: Hashable, Sendable, Decodable {
    package let name: String
    package let value: String

    var json: JSONValue { ["name": .string(self.name), "value": .string(self.value)] }

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The metadata of a signed-in viewer that a requestor may know, before encryption (rest-v1 19).
///
/// When the sign-in, or a later change, set it; the values in the order of rest-v1 19; and the keys whose values leave the
/// server encrypted for the programmer.
package typealias UserMetadata = (
    updated: Timestamp, values: [(key: String, value: MetadataValue)], encryptedKeys: Set<String>
)

/// The metadata of signed-in viewers that requestors may know (rest-v1 19).
package struct ViewerMetadata: DomainPart {
    let parts: DomainParts
    let signIns: SignIns
    let trials: Trials

    /// The metadata of the signed-in viewer that the requestor may know (rest-v1 19).
    /// - Returns: `nil` when there is nothing to tell.
    /// - Throws: `notAuthenticated`, `storeUnavailable`.
    package func userMetadata(
        of authentication: AuthNRecord, requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> UserMetadata? {
        guard let integration = self.catalogue.integration(requestor, authentication.mvpd)
        else { throw EntitlementError(.notAuthenticated) }
        let kept = try self.signIns.keptSession(of: authentication)
        var values = kept.metadata
        if !values.isEmpty { values["mvpd"] = .text(authentication.mvpd.text) }
        if authentication.origin == .platform { values["tokenSource"] = .text("Apple") }
        for (key, value) in try await self.trialMetadata(of: authentication, kept, requestor, now: now) {
            values[key] = value
        }
        if let released = integration.releasedMetadata { values = values.filter { released.contains($0.key) } }
        guard !values.isEmpty else { return nil }
        return (
            kept.updated, values.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) },
            integration.encryptedMetadata.intersection(values.keys)
        )
    }

    /// The rest of a promotional trial (rest-v1 20.4).
    private func trialMetadata(
        of authentication: AuthNRecord, _ kept: KeptSession, _ requestor: RequestorID, now: Timestamp
    ) async throws(EntitlementError) -> [String: MetadataValue] {
        guard let rules = self.catalogue.mvpd(authentication.mvpd)?.trial, rules.isPromotional else { return [:] }
        let identities = Trials.identities(authentication.context, Trials.person(inAccount: kept.session.account))
        let trial = try await self.trials.trial(identities, requestor, authentication.mvpd)?.trial ?? Trial()
        var values: [String: MetadataValue] = [
            "used_assets": .list(trial.resources.map(\.text)),
            "expiration_date": .text(String(trial.expires(at: now, rules: rules).milliseconds)),
        ]
        if let remaining = trial.remainingResources(rules: rules) {
            values["remaining_resources"] = .text(String(remaining))
        }
        return values
    }
}
