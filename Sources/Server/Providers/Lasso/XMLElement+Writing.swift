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

    /// The data of an encrypted element of SAML, with nothing but up to four keys for them inside, which may have lain
    /// beside them (SAML 2.0 Core 2.2.4): no reference is followed, and no certificate read.
    var encryptedData: XMLElement? {
        let key = SAMLName.encryptionElement("EncryptedKey")
        let info = SAMLName.signatureElement("KeyInfo")
        guard let data = self.onlyChild(.encryptionElement("EncryptedData")) else { return nil }
        func bare(_ element: XMLElement, _ keys: [XMLElement]) -> XMLElement {
            element.with(
                children: element.children(.encryptionElement("EncryptionMethod")) + keys
                    + element.children(.encryptionElement("CipherData")))
        }
        let keys = (data.onlyChild(info)?.children(key) ?? []) + self.children(key)
        let keyInfo = XMLElement(
            namespace: info.namespace, name: info.name, attributes: [], children: keys.prefix(4).map { bare($0, []) },
            text: "")
        return keys.isEmpty ? nil : bare(data, [keyInfo])
    }

    func with(children: [XMLElement]) -> XMLElement {
        var copy = self
        copy.children = children
        return copy
    }
}
