import ClaimsMapping
import Clientless
import Entitlement
import HTTPClient
import Providers

@testable import OpenIDConnect

extension FuzzTarget {
    /// What a provider publishes of itself.
    static let discovery = FuzzTarget("oidc-discovery") { input in
        guard let issuer = Issuer("https://idp.example", policy: .secure),
            let metadata = try? ProviderMetadata(reading: input, issuer: issuer, policy: .secure)
        else { return }
        precondition(metadata.tokenEndpoint.text.hasPrefix("https://"), "no endpoint is in clear")
        precondition(metadata.codeChallengeMethods?.contains("S256") ?? true, "PKCE is not given up")
    }

    /// What a provider's authorization endpoint answers, in JSON or in XACML.
    static let decisions = FuzzTarget("provider-decisions") { input in
        let now = Timestamp(seconds: 1_767_225_600)
        let xacml = try? XACMLAnswer(input, to: "_1", for: "https://tv.example", now: now)
        guard
            let decisions = DecisionAnswer(input)?.decisions(on: 3, now: now)
                ?? xacml?.decisions(on: ["Sport", "News", "Film"], now: now)
        else { return }
        precondition(decisions.count == 3, "a decision on each")
        for case .deny(let reason?) in decisions {
            precondition(reason.utf8.count <= 2 * DecisionAnswer.maximumSentence + 1, "a sentence is bounded")
        }
    }

    /// A provider's keys.
    static let keySet = FuzzTarget("oidc-keys") { input in
        guard let keys = KeySet(input) else { return }
        precondition(keys.keys.count <= KeySet.maximumCount, "keys are bounded")
    }

    /// A compact token, and a key set behind a NUL byte that may verify it; then the rules of both kinds of token.
    static let idToken = FuzzTarget("oidc-token") { input in
        let parts = parts(input, 2)
        if let keys = KeySet(parts[1]),
            let token = try? SignedToken(text(parts[0]), algorithms: Set(SignatureAlgorithm.allCases))
        {
            _ = try? token.claims(verifiedBy: keys)
        }
        guard let issuer = Issuer("https://idp.example", policy: .secure),
            let claims = ForeignJSON.object(parts[0], limit: SignedToken.maximumSize)
        else { return }
        let rules = IDTokenRules(issuer: issuer, clientID: "latchkey")
        let now = Timestamp(seconds: 1_767_225_600)
        if let token = try? rules.check(claims, algorithm: .es256, now: now) {
            precondition((1...255).contains(token.subject.utf8.count), "a subject is bounded")
            precondition(now < token.expires + IDTokenRules.leeway, "what is over does not count")
        }
        _ = try? rules.checkLogout(claims, type: nil, now: now)
    }

    /// Answers of the token and the userinfo endpoint.
    static let tokenAnswer = FuzzTarget("oidc-answer") { input in
        let answer = HTTPClient.Response(status: 200, headers: ["content-type": "application/json"], body: input)
        if let tokens = try? TokenAnswer(answer, step: .token) {
            precondition(tokens.accessToken.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "it can stand in a header")
        }
        if let claims = ForeignJSON.object(input, limit: UserInfo.maximumSize) {
            _ = try? UserInfo.check(claims, subject: "viewer-1")
        }
    }

    /// What a provider says of a viewer, through rules of each kind; a NUL byte ends the pattern.
    static let mapping = FuzzTarget("claims-mapping") { input in
        let parts = parts(input, 2)
        guard let claims = ForeignJSON.object(parts[1], limit: 65_536),
            let pattern = try? TextPattern(text(parts[0])),
            let template = try? PatternTemplate("<$0>", for: pattern),
            let mapping = try? MetadataMapping([
                MappingRule(key: "one", source: .path(["in"]), steps: [.pattern(pattern, template)]),
                MappingRule(key: "all", source: .path(["in", "x"]), steps: [.lowercased], shape: .list),
            ])
        else { return }
        for value in mapping.apply(to: SourceAttributes(claims: claims)).values.values {
            switch value {
            case .text(let text): precondition(text.utf8.count <= MetadataMapping.maximumTextSize, "texts are bounded")
            case .list(let texts): precondition(texts.count <= MetadataMapping.maximumListSize, "lists are bounded")
            case .map: preconditionFailure("no rule makes a map")
            }
        }
    }
}
