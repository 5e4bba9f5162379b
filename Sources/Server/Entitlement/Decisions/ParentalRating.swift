import Clientless

/// A rating on one of the two ladders that parental controls know (rest-v1 23).
struct ParentalRating: Hashable {
    /// A rating system, from "for all viewers" upwards.
    enum Ladder: CaseIterable {
        case televisionGuidelines, motionPictures

        /// The `scheme` of an MRSS `media:rating`.
        var scheme: String {
            switch self {
            case .televisionGuidelines: "urn:v-chip"
            case .motionPictures: "urn:mpaa"
            }
        }

        /// The name of the household's limit inside the metadata `maxRating` (rest-v1 19).
        var limitName: String {
            switch self {
            case .televisionGuidelines: "VCHIP"
            case .motionPictures: "MPAA"
            }
        }

        fileprivate var steps: [String] {
            switch self {
            case .televisionGuidelines: ["tv-y", "tv-y7", "tv-g", "tv-pg", "tv-14", "tv-ma"]
            case .motionPictures: ["g", "pg", "pg-13", "r", "nc-17"]
            }
        }
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
        guard let ladder = Ladder.allCases.first(where: { $0.scheme == scheme }) else { return nil }
        self.init(rating.value, on: ladder)
    }

    /// Lower case, without outer white space and without the mark for fantasy violence, which is no step of its own.
    private static func normalised(_ text: some StringProtocol) -> String {
        let text = text.lowercased().filter { !$0.isWhitespace }
        return text == "tv-y7-fv" ? "tv-y7" : text
    }
}
