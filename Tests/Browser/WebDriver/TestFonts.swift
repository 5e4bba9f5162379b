import Foundation

/// The fonts that the tests' browser has: those of `fonts-dejavu-core`, whatever else is installed. Where a heading wraps
/// would otherwise depend on the machine.
enum TestFonts {
    /// Writes a configuration of fontconfig into `folder`, with its cache beside it.
    ///
    /// - Returns: its path, for the variable `FONTCONFIG_FILE`.
    static func configuration(in folder: String) throws -> String {
        let path = "\(folder)/fonts.conf"
        let families = ["sans-serif": "DejaVu Sans", "serif": "DejaVu Serif", "monospace": "DejaVu Sans Mono"]
        let aliases = families.sorted { $0.key < $1.key }.map {
            "<alias binding=\"same\"><family>\($0.key)</family><prefer><family>\($0.value)</family></prefer></alias>"
        }
        let text = """
            <?xml version="1.0"?>
            <fontconfig>
            <dir>/usr/share/fonts/truetype/dejavu</dir>
            <cachedir>\(folder)/fonts</cachedir>
            \(aliases.joined(separator: "\n"))
            </fontconfig>
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
