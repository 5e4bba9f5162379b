extension Migration {
    /// The sign-ins of one account for one requestor, in the order of their IDs.
    ///
    /// A viewer asks for them, so the look-up must not walk through all sign-ins of a requestor.
    static let viewersBoxes = Migration(
        number: 5,
        statements: [
            "CREATE INDEX authentications_viewer ON authentications (user_id, mvpd, requestor, id)",
            // The new one serves look-ups by the pseudonym alone, too.
            "DROP INDEX authentications_user",
        ])
}
