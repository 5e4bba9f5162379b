/// The format a client asked for at the end of the path (rest-v1 3.2, 3.5).
package enum PathSuffix: Hashable, Sendable {
    case json
    case xml

    /// The suffix as written, with its dot.
    package var text: String {
        switch self {
        case .json: ".json"
        case .xml: ".xml"
        }
    }
}
