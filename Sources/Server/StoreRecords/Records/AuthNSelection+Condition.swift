import Clientless
package import Entitlement

extension AuthNSelection {
    /// The conditions of the fields that are set, with parameters from 1 on for their values.
    /// - Parameter sign: what the store writes before a parameter's number.
    package func condition(_ sign: Character) -> (sql: String, values: [SQLValue]) {
        let conditions: [(String, SQLValue?)] = [
            ("mvpd =", self.mvpd.map { .text($0.text) }), ("user_id =", self.userID.map { .text($0) }),
            ("requestor =", self.requestor.map { .text($0.text) }), ("code =", self.code.map { .text($0.text) }),
            ("provider_session =", self.providerSession.map { .blob($0) }),
            ("created >=", self.since.map { .time($0) }), ("created <", self.before.map { .time($0) }),
            ("expires >", self.endingAfter.map { .time($0) }),
        ]
        var (sql, values): (String, [SQLValue]) = ("true", [])
        for case (let comparison, let value?) in conditions {
            values.append(value)
            sql += " AND \(comparison) \(sign)\(values.count)"
        }
        return (sql, values)
    }
}
