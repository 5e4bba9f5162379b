import Clientless
import ServerAPI

package enum KeyUse: String, CaseIterable, Sendable {
    /// Media tokens and the other token documents (rest-v1 22): RSA, or EC on P-256 where the operator put one.
    case tokenSigning = "token-signing"
    /// Software statements of registered applications (rest-v1 10.1): RSA.
    case softwareStatement = "software-statement"
    /// Access tokens (rest-v1 10.4): EC on P-256.
    case accessToken = "access-token"

    /// The uses for which none of some keys is one that was used before, by the marks of both.
    static func strange(_ marks: some Sequence<String>, to used: some Sequence<String>) -> [KeyUse] {
        self.allCases.filter { use in
            let used = Set(used.filter(use.isOf))
            return !used.isEmpty && used.isDisjoint(with: marks)
        }
    }

    var lostAdvice: String { "If it is lost: 'latchkeyd keys signing rotate --lost --use \(self.rawValue)'." }
    func isOf(_ mark: String) -> Bool { mark.hasPrefix("\(self.rawValue) ") }

    /// The keys of this use that were used before and are not present, although what they signed still counts.
    /// - Parameter used: marks of keys of all uses, and when each was made; also `present`.
    func missing(
        in present: [String: Timestamp], of used: [String: Timestamp], lead: Duration, _ lives: DocumentLives,
        at now: Timestamp
    ) -> [(mark: String, made: Timestamp)] {
        let keys = used.merging(present) { $1 }.filter { self.isOf($0.key) }.sorted { $0.value > $1.value }
        guard !keys.isEmpty else { return [] }
        let schedule = KeySchedule(made: keys.map(\.value), lead: lead, longestLife: self.life(lives, at: now))
        return schedule.accepted(at: now).map { (keys[$0].key, keys[$0].value) }.filter { present[$0.0] == nil }
    }

    /// The longest life of what its keys sign. Statements have no end (rest-v1 10.1): their keys are missed as long as
    /// those of documents.
    func life(_ lives: DocumentLives, at now: Timestamp) -> Duration {
        self == .accessToken ? .seconds(AccessTokens.lifetime) : lives.longest(at: now)
    }

    package var file: KeyFileName { KeyFileName(use: self.rawValue, ending: "pem") }
}

/// How key files are called: what the key is for, a number that counts up with each rotation, and an ending.
package struct KeyFileName: Sendable {
    let use: String
    let ending: String

    package func text(_ number: Int) -> String { "\(self.use)-\(number).\(self.ending)" }

    /// - Returns: `nil` for files of other uses and anything else.
    package func number(in name: String) -> Int? {
        let digits = name.dropFirst(self.use.count + 1).dropLast(self.ending.count + 1)
        guard let number = Int(digits), (1...999_999).contains(number), name == self.text(number) else { return nil }
        return number
    }
}
