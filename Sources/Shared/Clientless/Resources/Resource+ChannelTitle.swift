extension Resource {
    /// Whether the resource claims to be an MRSS fragment rather than a plain name.
    package var isMediaRSS: Bool { self.text.utf8.span[0] == UInt8(ascii: "<") }

    /// The channel: the resource itself when it is plain, else the text of the fragment's `rss/channel/title`, without
    /// outer white space (rest-v1 23).
    /// - Throws: ``MalformedResource`` when the resource starts with `<` and is not well-formed XML, or has no such
    ///   title, or an empty one.
    package func channelTitle() throws(MalformedResource) -> String {
        guard self.isMediaRSS else { return self.text }
        let title: String?
        do throws(XMLError) { title = try Self.firstTitle(in: self.text) } catch { throw MalformedResource() }
        guard let title else { throw MalformedResource() }
        return title
    }

    /// Reads the whole fragment, for it must be well formed to its end.
    private static func firstTitle(in text: String) throws(XMLError) -> String? {
        var reader = try XMLReader(text, size: Self.maximumLength)
        var path: [String] = []
        var current: String?
        var title: String?
        while let event = try reader.next() {
            switch event {
            case .start(let name):
                path.append(name)
                if path == ["rss", "channel", "title"], title == nil { current = "" }
            case .text(let text):
                if path.count == 3 { current?.append(text) }
            case .end:
                if path.count == 3, let finished = current {
                    title = Resource(finished)?.text ?? ""
                    current = nil
                }
                path.removeLast()
            }
        }
        return title?.isEmpty == true ? nil : title
    }
}

/// A resource that starts with `<` and is no MRSS fragment: 400 `malformed_authz_request` (rest-v1 23).
package struct MalformedResource: Error, Hashable {}
