import Clientless
import HTTPClient

/// An answer of the userinfo endpoint (OpenID Connect Core 5.3).
enum UserInfo {
    /// The largest answer that is read.
    static let maximumSize = 64 << 10

    static func isToken(_ answer: HTTPClient.Response) -> Bool {
        guard let type = answer.headers["content-type"] else { return false }
        let name = type.prefix { $0 != ";" }.lowercased()
        return name.filter { $0 != " " } == "application/jwt"
    }

    /// - Throws: `changedViewer`: OpenID Connect Core 5.3.4, "the sub Claim … MUST be verified to exactly match".
    static func check(_ claims: JSONValue, subject: String) throws(TokenFault) {
        guard let named = try claims.name("sub", limit: IDTokenRules.maximumNameSize, or: .subject)
        else { throw .subject }
        guard named.utf8.elementsEqual(subject.utf8) else { throw .changedViewer }
    }

    /// The issuer and the audience of a signed answer, where it names them.
    static func check(signed claims: JSONValue, _ rules: IDTokenRules) throws(TokenFault) {
        if claims["iss"] != nil {
            guard rules.issuer.isNamed(by: claims["iss"]?.string) else { throw .issuer }
        }
        if claims["aud"] != nil { try rules.checkAudience(claims) }
    }

    /// The claims of the one, and those of `further` that it does not have.
    /// - Parameter inside: also inside of claims that are objects. Members that an older `further` has may be gone.
    static func joined(_ claims: JSONValue?, _ further: JSONValue?, inside: Bool) -> JSONValue {
        let first: [JSONValue.Member] = if case .object(let members) = claims { members } else { [] }
        let second: [JSONValue.Member] = if case .object(let members) = further { members } else { [] }
        let names = Set(first.map(\.name))
        let whole = first.map { member in
            if inside, case .object = member.value, case .object? = further?[member.name] {
                JSONValue.Member(member.name, self.joined(member.value, further?[member.name], inside: true))
            } else {
                member
            }
        }
        return .object(whole + second.filter { !names.contains($0.name) })
    }
}
