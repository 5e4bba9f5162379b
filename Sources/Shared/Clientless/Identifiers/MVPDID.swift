/// The identifier of a TV provider; the value of `mvpd` and `mso_id` (rest-v1 12).
package struct MVPDID: WireIdentifier {
    package let text: String

    package init(unchecked text: String) {
        self.text = text
    }
}
