/// The sentences that stand around address and code, in the viewer's language.
package struct PairingSentences: Hashable, Sendable {
    /// Before an address beside or below the symbol.
    package let scan: String
    /// The same where the address stands below.
    package let scanBelow: String
    /// Before an address without a symbol.
    package let open: String
    /// For a server that names no address.
    package let provider: String
    /// With `{code}`, after ``provider``.
    package let code: String
    /// With `{code}`, after an address.
    package let andCode: String
    /// Why there is no symbol: it needs `{columns}` and `{rows}`, and the terminal has `{width}` and `{height}`.
    package let tooSmall: String
    /// Whether they are read from right to left. They then share no line with address or code, and if there is room
    /// none with the symbol, whose order the terminal could change with that of the words.
    package let isRightToLeft: Bool

    package init(
        scan: String, scanBelow: String, open: String, provider: String, code: String, andCode: String,
        tooSmall: String, isRightToLeft: Bool = false
    ) {
        self.scan = scan
        self.scanBelow = scanBelow
        self.open = open
        self.provider = provider
        self.code = code
        self.andCode = andCode
        self.tooSmall = tooSmall
        self.isRightToLeft = isRightToLeft
    }
}
