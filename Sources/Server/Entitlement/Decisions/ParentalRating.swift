import Clientless

/// A rating on one of the two ladders that parental controls know (rest-v1 23).
struct ParentalRating: Hashable {
    /// A rating system, from "for all viewers" upwards.
    struct Ladder: Hashable {
        /// The `scheme` of an MRSS `media:rating`.
        let scheme: String
        /// The name of the household's limit inside the metadata `maxRating` (rest-v1 19).
        let limitName: String
        fileprivate let steps: [String]

        static let all = [
            Ladder(
                scheme: "urn:v-chip", limitName: "VCHIP", steps: ["tv-y", "tv-y7", "tv-g", "tv-pg", "tv-14", "tv-ma"]),
            Ladder(scheme: "urn:mpaa", limitName: "MPAA", steps: ["g", "pg", "pg-13", "r", "nc-17"]),
        ]
    }

    let ladder: Ladder
    /// From 0, for all viewers, upwards.
    let step: Int

    /// - Returns: `nil` for a rating that is not on the ladder; such a rating restricts no viewer.
    init?(_ text: some StringProtocol, on ladder: Ladder) {
        guard text.utf8.count <= 64, let step = ladder.steps.firstIndex(of: Self.normalised(text)) else { return nil }
        self.ladder = ladder
        self.step = step
    }

    /// The rating of a resource; `nil` for an unknown scheme or value.
    init?(_ rating: Resource.Rating) {
        let scheme = rating.scheme.lowercased()
        guard let ladder = Ladder.all.first(where: { $0.scheme == scheme }) else { return nil }
        self.init(rating.value, on: ladder)
    }

    /// Lower case, without outer white space and without the mark for fantasy violence, which is no step of its own.
    private static func normalised(_ text: some StringProtocol) -> String {
        let text = text.lowercased().filter { !$0.isWhitespace }
        return text == "tv-y7-fv" ? "tv-y7" : text
    }
}
