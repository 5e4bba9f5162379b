extension Migration {
    /// What nodes tell one another each second of what they counted.
    ///
    /// Programs of step 2 work with it; they tell nothing and hear nothing.
    static let sheets = Migration(
        number: 3, oldest: 2,
        statements: [
            // A fixed number of rows for each node, which it alone writes. Lost with a server that crashes, and never on
            // a standby: limits then begin anew.
            """
            CREATE UNLOGGED TABLE latchkey.sheets (
                node text COLLATE "C" NOT NULL,
                place bigint NOT NULL,
                number bigint NOT NULL,
                ends bigint NOT NULL,
                content bytea NOT NULL,
                PRIMARY KEY (node, place)
            )
            """
        ])
}
