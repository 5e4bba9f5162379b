import Clientless

extension XMLElement {
    /// The element as a document of its own. Namespaces and text are kept, prefixes are not, so no signature inside is
    /// worth anything afterwards.
    var written: String {
        var text = "<\(self.name) xmlns=\"\(XMLText.escaped(self.namespace))\""
        for (number, attribute) in self.attributes.enumerated() {
            let value = "\"\(XMLText.escaped(attribute.value))\""
            if attribute.namespace.isEmpty {
                text += " \(attribute.name)=\(value)"
            } else {
                text += " xmlns:n\(number)=\"\(XMLText.escaped(attribute.namespace))\""
                text += " n\(number):\(attribute.name)=\(value)"
            }
        }
        return text + ">" + XMLText.escaped(self.text) + self.children.map(\.written).joined() + "</\(self.name)>"
    }

    /// The element with other children, in their order.
    func with(children: [XMLElement]) -> XMLElement {
        var copy = self
        copy.children = children
        return copy
    }
}
