/// The identifier of a channel brand (rest-v1 3.2).
package struct RequestorID: WireIdentifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}
