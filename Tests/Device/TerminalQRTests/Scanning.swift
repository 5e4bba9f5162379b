import TerminalQR
import TestSupport
import Testing

/// What a scanner reads off a picture of the lines on a terminal with these colours of its own.
func scanned(_ lines: [String], ownForeground: UInt8, ownBackground: UInt8, isFar: Bool = false) async throws -> String
{
    let screen = try CellScreen(lines, ownForeground: ownForeground, ownBackground: ownBackground)
    return try await Scanner.read(screen.picture(margin: 3, isFar: isFar))
}

func scanned(
    _ drawing: QRDrawing, ownForeground: UInt8, ownBackground: UInt8, isFar: Bool = false
) async throws -> String {
    let screen = try CellScreen(drawing.lines, ownForeground: ownForeground, ownBackground: ownBackground)
    #expect(screen.columns == drawing.columns)
    return try await Scanner.read(screen.picture(margin: 3, isFar: isFar))
}
