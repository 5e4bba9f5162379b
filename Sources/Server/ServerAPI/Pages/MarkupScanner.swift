/// Follows the markup of a template byte by byte, knows where a value may stand, and refuses what a page must not hold.
///
/// It reads the strict subset the templates are written in: lower-case names, every element closed, every attribute
/// with a double-quoted value, no comments.
struct MarkupScanner: Sendable {
    enum State: Hashable, Sendable {
        case text, title, script
        case tagOpen, tagName, closingName, insideTag, selfClosing
        case attributeName, beforeValue
        /// `isStarted` is only followed for addresses: their first value is checked, later ones are encoded.
        case attributeValue(name: String, isStarted: Bool)
        case declaration
    }

    private(set) var state = State.text
    /// The elements that are open, outermost first.
    private(set) var open: [String] = []
    private var name = ""
    private var attributes: Set<String> = []

    struct Fault: Error {
        let message: String
    }

    /// The place of a value at this point; `nil` inside a tag or a script.
    var placement: Placement? {
        switch self.state {
        case .text: return .text
        case .title: return .title
        case .attributeValue(let attribute, let isStarted):
            guard Self.addresses.contains(attribute) else { return .attribute }
            return isStarted ? .addressPart : .address(isImage: attribute == "src" && self.name == "img")
        case .script, .tagOpen, .tagName, .closingName, .insideTag, .selfClosing, .attributeName, .beforeValue,
            .declaration:
            return nil
        }
    }

    /// Whether a block may begin here.
    var allowsBlock: Bool { self.placement != nil || self.state == .insideTag }

    func isSamePlace(as other: MarkupScanner) -> Bool { self.state == other.state && self.open == other.open }

    /// Takes over the attributes another branch has seen.
    mutating func merge(_ other: MarkupScanner) { self.attributes.formUnion(other.attributes) }

    mutating func takeValue() {
        if case .attributeValue(let attribute, _) = self.state, Self.addresses.contains(attribute) {
            self.state = .attributeValue(name: attribute, isStarted: true)
        }
    }

    mutating func take(_ byte: UInt8) throws(Fault) {
        switch self.state {
        case .text, .title:
            if byte == UInt8(ascii: "<") { self.state = .tagOpen }
        case .script:
            guard byte == UInt8(ascii: "<") else { throw Fault(message: "a script has to be a file of its own") }
            self.state = .tagOpen
        case .tagOpen: try self.openTag(byte)
        case .tagName: try self.continueTagName(byte)
        case .closingName: try self.continueClosingName(byte)
        case .insideTag: try self.continueTag(byte)
        case .selfClosing:
            guard byte == UInt8(ascii: ">"), Self.void.contains(self.name)
            else { throw Fault(message: "<\(self.name)> cannot close itself") }
            self.state = .text
        case .attributeName: try self.continueAttributeName(byte)
        case .beforeValue:
            guard byte == UInt8(ascii: "\"") else {
                throw Fault(message: "an attribute's value is written in double quotes")
            }
            self.state = .attributeValue(name: self.pendingAttribute, isStarted: false)
        case .attributeValue(let attribute, _): try self.continueValue(byte, of: attribute)
        case .declaration:
            if byte == UInt8(ascii: "-") { throw Fault(message: "comments are written {{! … }}") }
            if byte == UInt8(ascii: ">") { self.state = .text }
        }
    }

    private var pendingAttribute = ""

    private static let void: Set<String> = ["meta", "link", "img", "input", "br", "hr"]
    private static let addresses: Set<String> = ["href", "src", "action", "formaction", "poster", "cite", "data"]
    private static let refusedElements: Set<String> = [
        "style", "iframe", "object", "embed", "base", "frame", "frameset", "noscript", "svg", "math", "textarea",
        "template", "xmp", "plaintext",
    ]
}

extension MarkupScanner {
    private mutating func openTag(_ byte: UInt8) throws(Fault) {
        switch byte {
        case UInt8(ascii: "!") where self.open.isEmpty:
            self.state = .declaration
        case UInt8(ascii: "/"):
            self.name = ""
            self.state = .closingName
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            if ["title", "script"].contains(self.open.last) { throw Fault(message: "no element stands in here") }
            self.name = String(Unicode.Scalar(byte))
            self.attributes = []
            self.state = .tagName
        default:
            throw Fault(message: "'<' does not begin a tag here")
        }
    }

    private mutating func continueTagName(_ byte: UInt8) throws(Fault) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            self.name.unicodeScalars.append(Unicode.Scalar(byte))
            return
        default: break
        }
        if Self.refusedElements.contains(self.name) { throw Fault(message: "<\(self.name)> has no place in a page") }
        self.state = .insideTag
        try self.continueTag(byte)
    }

    private mutating func continueTag(_ byte: UInt8) throws(Fault) {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: return
        case UInt8(ascii: "/"): self.state = .selfClosing
        case UInt8(ascii: ">"): try self.endTag()
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            self.pendingAttribute = String(Unicode.Scalar(byte))
            self.state = .attributeName
        default: throw Fault(message: "<\(self.name)> is not closed")
        }
    }

    private mutating func endTag() throws(Fault) {
        if Self.void.contains(self.name) { throw Fault(message: "<\(self.name)> closes itself with />") }
        self.open.append(self.name)
        switch self.name {
        case "title": self.state = .title
        case "script":
            guard self.attributes.contains("src") else { throw Fault(message: "a script has to be a file of its own") }
            self.state = .script
        default: self.state = .text
        }
    }

    private mutating func continueAttributeName(_ byte: UInt8) throws(Fault) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            self.pendingAttribute.unicodeScalars.append(Unicode.Scalar(byte))
            return
        case UInt8(ascii: "="): break
        default: throw Fault(message: "the attribute '\(self.pendingAttribute)' needs a value")
        }
        let attribute = self.pendingAttribute
        if attribute.hasPrefix("on") || ["style", "srcdoc", "srcset", "ping"].contains(attribute) {
            throw Fault(message: "the attribute '\(attribute)' has no place in a page")
        }
        guard self.attributes.insert(attribute).inserted
        else { throw Fault(message: "the attribute '\(attribute)' is there twice") }
        self.state = .beforeValue
    }

    private mutating func continueValue(_ byte: UInt8, of attribute: String) throws(Fault) {
        switch byte {
        case UInt8(ascii: "\""): self.state = .insideTag
        case UInt8(ascii: "<"): throw Fault(message: "the value of '\(attribute)' is not closed")
        default: self.takeValue()
        }
    }

    private mutating func continueClosingName(_ byte: UInt8) throws(Fault) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            self.name.unicodeScalars.append(Unicode.Scalar(byte))
        case UInt8(ascii: ">") where self.open.last == self.name:
            self.open.removeLast()
            self.state = .text
        default:
            throw Fault(message: "</\(self.name)> does not close <\(self.open.last ?? "")>")
        }
    }
}
