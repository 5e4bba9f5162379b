import Clientless

/// The highest ratings a household allows, as its provider says (rest-v1 19, 23).
struct ParentalControls: Hashable {
    private let limits: [ParentalRating]

    /// - Parameter maxRating: the metadata value of that name; what cannot be read in it sets no limit.
    init(maxRating: MetadataValue?) {
        guard case .map(let entries) = maxRating else {
            self.limits = []
            return
        }
        self.limits = ParentalRating.Ladder.all.compactMap { ladder in
            entries.first { $0.name == ladder.limitName }.flatMap { ParentalRating($0.value, on: ladder) }
        }
    }

    /// Whether a resource may be watched. One without a rating, or with one that cannot be read, may (rest-v1 23).
    func allow(_ resource: Resource) -> Bool {
        guard resource.isMediaRSS, let ratings = try? resource.ratings() else { return true }
        return self.allow(ratings)
    }

    /// Whether the household set a limit on the ladder of each of these ratings that can be read.
    func cover(_ ratings: [Resource.Rating]) -> Bool {
        if ratings.isEmpty { return true }
        let known = ratings.compactMap(ParentalRating.init)
        guard !self.limits.isEmpty else { return false }
        return known.allSatisfy { rating in self.limits.contains { $0.ladder == rating.ladder } }
    }

    /// Whether something with all these ratings may be watched. A rating of an unknown scheme or value restricts
    /// no viewer, and neither does one on a ladder the household set no limit on.
    func allow(_ ratings: [Resource.Rating]) -> Bool {
        ratings.compactMap(ParentalRating.init).allSatisfy { rating in
            self.limits.allSatisfy { $0.ladder != rating.ladder || rating.step <= $0.step }
        }
    }
}
