/// Why no page can show a picture.
package enum PictureFault: Error, Hashable, Sendable {
    case tooLong(limit: Int)
    case unknownKind
    case damaged
    case moves
    case tooManyPixels
    case tooLongASide(PictureSize)
    // Drawings
    case notUTF8
    case documentType
    case instruction
    case notWellFormed
    case notADrawing
    /// The name of the element.
    case element(String)
    case script
    case reference
    case tooMuch
}

extension PictureFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong(let limit): "it has more than \(limit) bytes"
        case .unknownKind: "it is neither PNG, WebP nor SVG"
        case .damaged: "it is damaged or not complete"
        case .moves: "it moves; only still pictures are shown"
        case .tooManyPixels:
            "it has more pixels than \(PictureSize.longestSide) a side, or than \(PictureSize.mostPixels) together"
        case .tooLongASide: "one of its sides is more than \(Int(PictureSize.steepest)) times the other"
        case .notUTF8: "the drawing is not written in UTF-8"
        case .documentType: "the drawing has a document type (<!DOCTYPE)"
        case .instruction: "the drawing has an instruction for programs (<?)"
        case .notWellFormed: "the drawing is no well-formed XML, or nested too deeply"
        case .notADrawing: "its root is no <svg> of http://www.w3.org/2000/svg"
        case .element(let name): "the drawing has '\(name)', which pages do not show"
        case .script: "the drawing has a script"
        case .reference: "the drawing refers to something outside of itself"
        case .tooMuch: "the drawing has too many elements, or repeats too many of them"
        }
    }
}
