import FoundationEssentials
import RealPrograms

/// How far two pictures of a page are from looking the same.
///
/// Each is seen in cells of eight by eight pixels: the colour of a cell and how much is drawn in it. A cell may be found a
/// pixel beside its place. So letters drawn with other edges are alike, and a block that moved, an element that is missing and
/// a text that can hardly be read are not.
struct PictureComparison: Sendable, Hashable {
    /// The cells that look different; `nil` when the pictures have different sizes.
    let differingCells: Int?
    /// The new picture with the differing cells framed, PNG.
    let marked: [UInt8]

    /// A stray cell is no difference; an icon of twelve pixels is two.
    static let tolerance = 1

    var isAlike: Bool { self.differingCells.map { $0 <= Self.tolerance } ?? false }

    /// Compares two pictures of any kind the browser reads. The page that is open must allow to run scripts.
    init(_ old: [UInt8], _ new: [UInt8], in window: BrowserWindow) async throws {
        if old == new {
            (self.differingCells, self.marked) = (0, [])
            return
        }
        let pictures = [old, new].map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ", ")
        let answer = try await window.evaluateLater("const pictures = [\(pictures)];\n\(Self.script)")
        if let fault = answer["fault"]?.text { throw GaveUp(description: "the pictures cannot be read: \(fault)") }
        self.differingCells = answer["cells"]?.number.map { Int($0) }
        self.marked = answer["marked"]?.text.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
    }

    private static let script = """
        const done = arguments[arguments.length - 1], side = 8, tolerance = 12;
        const read = async (text) => {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes]));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext("2d", { willReadFrequently: true });
            context.drawImage(bitmap, 0, 0);
            const { width, height } = canvas;
            return { canvas, context, width, height, data: context.getImageData(0, 0, width, height).data };
        };
        // The mean colour of a cell, and how far its pixels are from it in lightness.
        const cell = ({ data, width, height }, left, top) => {
            const right = Math.min(left + side, width), bottom = Math.min(top + side, height);
            const sums = [0, 0, 0], lights = [];
            for (let y = Math.max(top, 0); y < bottom; y += 1) {
                for (let x = Math.max(left, 0); x < right; x += 1) {
                    const at = (y * width + x) * 4;
                    for (let part = 0; part < 3; part += 1) sums[part] += data[at + part];
                    lights.push(0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]);
                }
            }
            const mean = lights.reduce((sum, light) => sum + light, 0) / lights.length;
            const spread = lights.reduce((sum, light) => sum + Math.abs(light - mean), 0) / lights.length;
            return [...sums.map((sum) => sum / lights.length), spread];
        };
        const isNear = (one, other) => one.every((part, place) => Math.abs(part - other[place]) <= tolerance);
        const beside = [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]];
        Promise.all(pictures.map(read)).then(async ([old, now]) => {
            if (old.width !== now.width || old.height !== now.height) return done({ cells: null });
            let cells = 0;
            now.context.strokeStyle = "red";
            for (let top = 0; top < old.height; top += side) {
                for (let left = 0; left < old.width; left += side) {
                    const found = cell(now, left, top);
                    if (beside.some(([x, y]) => isNear(cell(old, left + x, top + y), found))) continue;
                    cells += 1;
                    now.context.strokeRect(left + 0.5, top + 0.5, side - 1, side - 1);
                }
            }
            const bytes = new Uint8Array(await (await now.canvas.convertToBlob()).arrayBuffer());
            let text = "";
            for (const byte of bytes) text += String.fromCharCode(byte);
            return done({ cells, marked: btoa(text) });
        }).catch((error) => done({ fault: String(error) }));
        """
}
