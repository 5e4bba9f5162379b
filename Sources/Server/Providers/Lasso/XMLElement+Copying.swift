import CLasso

extension XMLElement {
    /// How deep elements may lie in each other. Assertions need about ten.
    static let maximumDepth = 32
    /// How many elements a document may have; metadata have some hundreds. Messages have a narrower bound of their own,
    /// ``SAMLDocument/maximumCount``.
    static let maximumCount = 1024

    enum Comments {
        /// They are no part of what is signed, yet part the text around them: a reader that stops at one takes
        /// `viewer<!---->.example` for another viewer than the signer meant.
        case refused
        case skipped
    }

    /// Copies what libxml2 read, within the bounds of ``SAMLDocument``.
    /// - Throws: `tooComplex`; `foreignContent` for anything but elements and text.
    init(copying node: UnsafePointer<classo_element>, comments: Comments) throws(AssertionFault) {
        var room = (elements: Self.maximumCount, declarations: 2 * Self.maximumCount, attributes: 2 * Self.maximumCount)
        unsafe try self.init(copying: node, comments: comments, depth: 0, inScope: 0, room: &room)
    }

    private init(
        copying node: UnsafePointer<classo_element>, comments: Comments, depth: Int, inScope: Int,
        room: inout (elements: Int, declarations: Int, attributes: Int)
    ) throws(AssertionFault) {
        room.elements -= 1
        let before = room.declarations
        var declaration = unsafe node.pointee.nsDef
        while let known = unsafe declaration, room.declarations >= 0 {
            room.declarations -= 1
            unsafe declaration = known.pointee.next
        }
        let inScope = inScope + before - room.declarations
        self.attributes = unsafe try Self.attributes(of: node)
        room.attributes -= self.attributes.count
        guard depth < Self.maximumDepth, inScope <= SAMLDocument.maximumDeclarations,
            min(room.elements, room.declarations, room.attributes) >= 0
        else { throw .tooComplex }
        var children: [XMLElement] = []
        var text = ""
        var next = unsafe node.pointee.children
        while let child = unsafe next {
            switch unsafe child.pointee.type {
            case CLASSO_ELEMENT:
                unsafe children.append(
                    try XMLElement(
                        copying: UnsafePointer(child), comments: comments, depth: depth + 1, inScope: inScope,
                        room: &room))
            case CLASSO_TEXT, CLASSO_CDATA: unsafe text += Self.text(child.pointee.content)
            case CLASSO_COMMENT where comments == .skipped: break
            default: throw .foreignContent
            }
            unsafe next = child.pointee.next
        }
        self.namespace = unsafe Self.text(node.pointee.ns?.pointee.href)
        self.name = unsafe Self.text(node.pointee.name)
        self.children = children
        self.text = text
    }

    private static func attributes(of node: UnsafePointer<classo_element>) throws(AssertionFault) -> [Attribute] {
        var attributes: [Attribute] = []
        var next = unsafe node.pointee.properties
        while let attribute = unsafe next {
            var value = ""
            var part = unsafe attribute.pointee.children
            while let piece = unsafe part {
                guard unsafe piece.pointee.type == CLASSO_TEXT else { throw .foreignContent }
                unsafe value += Self.text(piece.pointee.content)
                unsafe part = piece.pointee.next
            }
            unsafe attributes.append(
                Attribute(
                    namespace: Self.text(attribute.pointee.ns?.pointee.href), name: Self.text(attribute.pointee.name),
                    value: value))
            unsafe next = attribute.pointee.next
        }
        return attributes
    }

    /// Text of libxml2, always UTF-8 and ended by a NUL, which XML cannot hold.
    private static func text(_ pointer: UnsafePointer<UInt8>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }
}
