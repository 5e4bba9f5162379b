extension Resource {
    /// One `media:rating` of an MRSS fragment.
    package struct Rating: Hashable, Sendable {
        /// As written, such as `urn:v-chip`; empty when the element does not say.
        package let scheme: String
        /// As written, such as `tv-pg`.
        package let value: String
    }

    /// All ratings of an MRSS fragment, wherever they stand in it; a plain name has no ratings (rest-v1 23).
    ///
    /// The prefix is not looked at: a fragment whose author chose another one is rated all the same.
    /// - Throws: ``MalformedResource`` when the resource starts with `<` and is not well-formed XML.
    package func ratings() throws(MalformedResource) -> [Rating] {
        guard self.isMediaRSS else { return [] }
        do throws(XMLError) { return try Self.ratings(in: self.text) } catch { throw MalformedResource() }
    }

    private static func ratings(in text: String) throws(XMLError) -> [Rating] {
        var reader = try XMLReader(text, size: Self.maximumLength)
        var ratings: [Rating] = []
        // The scheme and the text of the rating that is open, and how many elements inside it are.
        var open: (scheme: String, text: String, depth: Int)?
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                if open != nil {
                    open?.depth += 1
                } else if name == "rating" || name.hasSuffix(":rating") {
                    open = (reader.attributes.first { $0.name == "scheme" }?.value ?? "", "", 0)
                }
            case .text(let text):
                if open?.depth == 0 { open?.text += text }
            case .end:
                guard let rating = open else { continue }
                if rating.depth == 0 {
                    ratings.append(Rating(scheme: rating.scheme, value: rating.text))
                    open = nil
                } else {
                    open?.depth -= 1
                }
            }
        }
        return ratings
    }
}
