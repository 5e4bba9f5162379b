import Clientless

extension Pairing {
    /// Whether the household's limits let the viewer of a sign-in watch `resource`. What has no rating, or cannot be
    /// read, is for the provider to decide about.
    /// - Throws: `internal` when the kept session cannot be opened.
    func isAllowedByRating(_ resource: Resource, to authentication: AuthNRecord) throws(EntitlementError) -> Bool {
        guard resource.isMediaRSS else { return true }
        let ratings = (try? resource.ratings()) ?? []
        guard !ratings.isEmpty else { return true }
        let limits = ParentalControls(maxRating: try self.keptSession(of: authentication).metadata["maxRating"])
        return limits.allow(ratings)
    }
}
