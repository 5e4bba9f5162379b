extension Duration {
    /// Whole microseconds, rounded towards zero.
    var wholeMicroseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
