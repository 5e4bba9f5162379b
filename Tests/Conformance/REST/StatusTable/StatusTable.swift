/// The status tables of rest-v1 11 to 21, row by row.
enum StatusTable {
    static let rows: [StatusRow] = [
        Self.codes, Self.configuration, Self.logins, Self.callbacks, Self.checks, Self.tokens, Self.authorization,
        Self.storedAuthorization, Self.mediaTokens, Self.preauthorization, Self.logout, Self.metadata, Self.trials,
        Self.platform, Self.methods,
    ].flatMap(\.self)

    static let device = "deviceId=box-1&requestor=NORTHSPORT"
    static let question = "deviceId=box-1&requestor=NORTHSPORT&resource=North%20Sport%20HD"
}
