import Clientless

/// An SVG drawing (SVG 2), as far as it takes to know that a browser shows it, and that opened alone it runs and loads
/// nothing.
///
/// What is known to draw is taken, everything else is refused: scripts, links, movement, pictures and text of other
/// kinds within, style sheets that load. Elements of other vocabularies, as drawing programs leave them, draw nothing.
struct SVGDrawing {
    private static let namespace = "http://www.w3.org/2000/svg"
    /// The vocabularies whose elements a browser acts on wherever they stand. Drawings have theirs without a prefix.
    private static let active: Set<String> = [
        SVGDrawing.namespace, "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/2001/xml-events", "http://www.w3.org/1999/XSL/Transform",
    ]
    private static let known: Set<String> = [
        "svg", "g", "defs", "symbol", "use", "switch", "title", "desc", "metadata", "style",
        "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "textPath",
        "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "marker", "view",
        "filter", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
        "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB",
        "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
        "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
    ]
    /// Those that draw others again. Within each other they multiply, so that a few of them keep a phone busy for ever.
    private static let repeating: Set<String> = ["use", "pattern", "marker", "mask"]
    private static let mostRepeating = 16
    private static let mostElements = 4096
    private static let deepest = 64

    private var elements = 0
    private var repeats = 0
    /// The open elements.
    private var path: [String] = []
    /// The prefixes that may be used in each of them.
    private var prefixes: [Set<String>] = []
    private var style = ""
    private var size: PictureSize?

    private init() {}

    /// Whether it begins as a document of markup does.
    static func mayBeOne(_ bytes: [UInt8]) -> Bool {
        self.withoutMark(bytes).first { !DrawingText.isSpace($0) } == UInt8(ascii: "<")
    }

    /// - Throws: what keeps pages from showing the drawing.
    static func size(of bytes: [UInt8]) throws(PictureFault) -> PictureSize {
        let bytes = Array(self.withoutMark(bytes))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        try DrawingText.checkProlog(of: bytes)
        var drawing = SVGDrawing()
        var reader = try self.reader(of: text)
        while let event = try self.next(of: &reader) {
            switch event {
            case .start(let name): try drawing.begin(name, reader.attributes)
            case .text(let text): if drawing.path.last == "style" { drawing.style += text }
            case .end: try drawing.end()
            }
        }
        guard let size = drawing.size else { throw .notADrawing }
        return size
    }

    /// Without the mark of the order of bytes.
    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    private static func reader(of text: String) throws(PictureFault) -> XMLReader {
        do throws(XMLError) {
            return try XMLReader(
                text, limits: XMLReader.Limits(size: text.utf8.count, depth: self.deepest, attributes: 64))
        } catch {
            throw .notWellFormed
        }
    }

    private static func next(of reader: inout XMLReader) throws(PictureFault) -> XMLReader.Event? {
        do throws(XMLError) {
            return try reader.next()
        } catch {
            throw .notWellFormed
        }
    }
}

// Elements.
extension SVGDrawing {
    private mutating func begin(_ name: String, _ attributes: [String: String]) throws(PictureFault) {
        self.elements += 1
        if Self.repeating.contains(name) { self.repeats += 1 }
        guard self.elements <= Self.mostElements, self.repeats <= Self.mostRepeating else { throw .tooMuch }
        if self.path.isEmpty {
            guard name == "svg", attributes["xmlns"] == Self.namespace else { throw .notADrawing }
            self.size = Self.size(attributes)
        }
        let prefixes = try Self.prefixes(self.prefixes.last ?? ["xml"], attributes)
        if let prefix = Self.prefix(of: name) {
            guard prefixes.contains(prefix) else { throw .element(Self.shortened(name)) }
        } else if name.lowercased() == "script" {
            throw .script
        } else {
            guard Self.known.contains(name) else { throw .element(Self.shortened(name)) }
        }
        for (attribute, value) in attributes where !Self.declares(attribute) {
            if let prefix = Self.prefix(of: attribute), !prefixes.contains(prefix) {
                throw .element(Self.shortened(attribute))
            }
            try Self.check(attribute, value)
        }
        self.path.append(name)
        self.prefixes.append(prefixes)
        if name == "style" { self.style = "" }
    }

    private mutating func end() throws(PictureFault) {
        if self.path.popLast() == "style" {
            guard DrawingText.loadsNothing(self.style) else { throw .reference }
        }
        self.prefixes.removeLast()
    }

    /// The prefixes that may be used in an element: those of vocabularies that draw nothing. Programs declare others,
    /// too, and use none of them.
    /// - Parameter outer: those of the element around it.
    /// - Throws: when names without a prefix are of another vocabulary.
    private static func prefixes(
        _ outer: Set<String>, _ attributes: [String: String]
    ) throws(PictureFault) -> Set<String> {
        var usable = outer
        for (attribute, value) in attributes where self.declares(attribute) {
            guard let colon = attribute.utf8.firstIndex(of: UInt8(ascii: ":")) else {
                guard value == self.namespace else { throw .element(self.shortened("xmlns=\(value)")) }
                continue
            }
            let prefix = String(attribute[attribute.index(after: colon)...])
            if value.isEmpty || self.active.contains(value) { usable.remove(prefix) } else { usable.insert(prefix) }
        }
        return usable
    }

    private static func declares(_ attribute: String) -> Bool {
        attribute == "xmlns" || attribute.hasPrefix("xmlns:")
    }

    /// What stands before the colon of a name.
    private static func prefix(of name: String) -> String? {
        name.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(name[..<$0]) }
    }

    private static func check(_ attribute: String, _ value: String) throws(PictureFault) {
        let local = attribute.split(separator: ":").last.map { $0.lowercased() } ?? ""
        if local == "href" || local == "src" {
            guard value.utf8.first == UInt8(ascii: "#") else { throw .reference }
            return
        }
        if attribute.hasPrefix("xml:") {
            // The base of all references would be another.
            guard local != "base" else { throw .reference }
            return
        }
        guard self.prefix(of: attribute) == nil else { return }
        if local.hasPrefix("on") { throw .script }
        guard DrawingText.loadsNothing(value) else { throw .reference }
    }

    /// As much of a name as a message has room for.
    private static func shortened(_ name: String) -> String { String(decoding: name.utf8.prefix(64), as: UTF8.self) }

    /// The proportions that the root names; those of CSS where it names none.
    private static func size(_ root: [String: String]) -> PictureSize {
        if let width = DrawingText.length(root["width"] ?? ""), let height = DrawingText.length(root["height"] ?? "") {
            return PictureSize(width: width, height: height)
        }
        let box = (root["viewBox"] ?? "").split { $0 == " " || $0 == "," }.map { DrawingText.length(String($0)) }
        guard box.count == 4, let width = box[2], let height = box[3] else {
            return PictureSize(width: 300, height: 150)
        }
        return PictureSize(width: width, height: height)
    }
}
