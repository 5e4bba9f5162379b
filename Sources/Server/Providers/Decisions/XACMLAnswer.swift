package import Clientless
package import Entitlement

/// The answer of an authorization endpoint in XACML, as it can be understood: what is wrong with one result concerns
/// that resource alone.
package struct XACMLAnswer: Sendable {
    private static let maximumCount = 16_384
    /// Those of statements: of the profile's second version, and of its first.
    private static let assertionNamespaces = [
        "urn:oasis:names:tc:xacml:2.0:profile:saml2.0:v2:schema:assertion",
        "urn:oasis:names:tc:xacml:2.0:saml:assertion:schema:os", "urn:oasis:xacml:2.0:saml:assertion:schema:os",
    ]
    private static let policy = "urn:oasis:names:tc:xacml:2.0:policy:schema:os"

    /// By the name of the resource; `nil` for one that came twice, or that cannot be read.
    private let results: [String: DecidedItem?]
    /// The result without a name, where it is the only one.
    private let single: DecidedItem?
    private let end: Timestamp?

    /// The `Response` in an envelope that answers the query `id`.
    /// - Throws: what is wrong with it.
    static func response(in body: [UInt8], to id: String) throws(AssertionFault) -> XMLElement {
        let text = try SAMLText(body, maximumSize: XACMLDecisionPoint.answerLimit)
        let document = try SAMLDocument(text, maximumCount: Self.maximumCount)
        guard let response = try? SAMLLogoutRules.content(of: document.root),
            response.has(.protocolElement("Response")), response[attribute: "Version"] == "2.0"
        else { throw .notResponse }
        guard response[attribute: "InResponseTo"] == id else { throw .wrongRequest }
        return response
    }

    /// The answer of an endpoint to the query `id`.
    /// - Parameter audience: what the endpoint calls this server.
    /// - Throws: why nothing of it counts.
    package init(_ body: [UInt8], to id: String, for audience: String, now: Timestamp) throws(AssertionFault) {
        let response = try Self.response(in: body, to: id)
        try ResponseShape.requireSuccess(response)
        guard let assertion = response.onlyChild(.assertionElement("Assertion")) else { throw .assertionCount }
        self.end = try Self.end(of: assertion, for: audience, now: now)
        let statements = assertion.children.filter {
            $0.has(.assertionElement("Statement"))
                || ($0.name == "XACMLAuthzDecisionStatement" && Self.assertionNamespaces.contains($0.namespace))
        }
        guard statements.count == 1, let context = statements[0].onlyChild(Self.context("Response"))
        else { throw .missingStatement }
        let found = context.children(Self.context("Result"))
        var results: [String: DecidedItem?] = [:]
        for result in found {
            guard let id = result[attribute: "ResourceId"] else { continue }
            results[id] = .some(results[id] == nil ? Self.item(result) : nil)
        }
        self.results = results
        self.single = found.count == 1 && found[0][attribute: "ResourceId"] == nil ? Self.item(found[0]) : nil
    }

    /// The decisions on resources by their names, in order. One that is missing, or cannot be read, is no decision.
    package func decisions(on ids: [String], now: Timestamp) -> [Decision] {
        ids.map { id in
            guard var item = self.results[id] ?? (ids.count == 1 ? self.single : nil) else { return .unanswered }
            if let end = self.end {
                guard item.shorten(to: max(0, (end - now).components.seconds)) else { return .unanswered }
            }
            return item.decision(at: now)
        }
    }

    /// - Returns: the end of an assertion that counts now, if it has one (SAML 2.0 Core 2.5.1).
    private static func end(
        of assertion: XMLElement, for audience: String, now: Timestamp
    ) throws(AssertionFault) -> Timestamp? {
        let conditions = assertion.children(.assertionElement("Conditions"))
        guard let condition = conditions.first else { return nil }
        guard conditions.count == 1 else { throw .unknownCondition }
        // Clocks may differ, so the permit lasts as much longer as an assertion is taken.
        let end = try AssertionRules.requireTime(condition, now: now).map { $0 + AssertionRules.leeway }
        for restriction in condition.children(.assertionElement("AudienceRestriction")) {
            guard restriction.children(.assertionElement("Audience")).contains(where: { $0.plainText == audience })
            else { throw .wrongAudience }
        }
        return end
    }

    /// - Returns: `nil` for a result that cannot be read.
    private static func item(_ result: XMLElement) -> DecidedItem? {
        guard let decision = result.onlyChild(Self.context("Decision"))?.plainText else { return nil }
        var item: DecidedItem
        switch decision {
        case "Permit": item = DecidedItem(word: .permit)
        // No policy of the provider lets the viewer in.
        case "Deny", "NotApplicable": item = DecidedItem(word: .deny)
        case "Indeterminate": return DecidedItem(word: .error)
        default: return nil
        }
        if let text = result.onlyChild(Self.context("Status"))?.onlyChild(Self.context("StatusMessage"))?.plainText,
            text.lowercased() != "ok"
        {
            item.sentence = DecidedItem.sentence(text)
        }
        let lists = result.children(SAMLName(namespace: Self.policy, name: "Obligations"))
        for obligation in lists.flatMap(\.children) {
            guard let effect = obligation[attribute: "FulfillOn"], ["Permit", "Deny"].contains(effect)
            else { return nil }
            guard effect == decision else { continue }
            guard Self.take(obligation, into: &item) else { return nil }
        }
        return item
    }

    /// - Returns: `false` if it cannot be read.
    private static func take(_ obligation: XMLElement, into item: inout DecidedItem) -> Bool {
        guard obligation.has(SAMLName(namespace: Self.policy, name: "Obligation")),
            let name = obligation[attribute: "ObligationId"]
        else { return false }
        let values = obligation.children(SAMLName(namespace: Self.policy, name: "AttributeAssignment"))
        switch XACMLObligation(rawValue: name) {
        case .log: return true
        case .parentalControls:
            item.isRestricted = true
            return true
        case .upgrade:
            item.hint = values.first?.plainText.flatMap(DecidedItem.sentence)
            return true
        case .reauthorize:
            guard let text = values.first?.plainText, text.utf8.count <= 10, let seconds = Int64(text)
            else { return false }
            return item.shorten(to: seconds)
        case .maximumRating:
            var limit = item.limit ?? []
            for value in values {
                guard let name = value[attribute: "AttributeId"], name.hasPrefix(XACMLObligation.rating),
                    let rating = value.plainText
                else { return false }
                limit.append(NamedText(name.dropFirst(XACMLObligation.rating.count).uppercased(), rating))
            }
            item.limit = limit
            return true
        case nil:
            item.isBeyondUs = true
            return true
        }
    }

    private static func context(_ name: String) -> SAMLName {
        SAMLName(namespace: CanonicalElement.Namespace.context.rawValue, name: name)
    }
}
