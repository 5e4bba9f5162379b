import CQRencode
import Glibc

/// The symbol that libqrencode made of a text, freed at the end of its scope.
@safe struct EncodedSymbol: ~Copyable {
    private let handle: UnsafeMutablePointer<QRcode>

    init(_ text: String, _ errorCorrection: QRCode.ErrorCorrection) throws(QRCode.EncodingError) {
        // libqrencode reads up to a NUL, and takes the empty text for an error.
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .empty }
        let level = QRecLevel(errorCorrection.rawValue)
        // Version 0 asks for the smallest symbol; 1 keeps lower case apart from upper case.
        guard let handle = unsafe QRcode_encodeString(text, 0, level, QR_MODE_8, 1) else {
            throw errno == ERANGE ? .tooLong : .noMemory
        }
        unsafe self.handle = handle
    }

    deinit { unsafe QRcode_free(self.handle) }

    var size: Int { unsafe Int(self.handle.pointee.width) }

    /// Row by row: bit 0 of each byte is the module (qrencode.h, "Symbol data").
    var modules: [Bool] {
        let bytes = unsafe UnsafeBufferPointer(start: self.handle.pointee.data, count: self.size * self.size)
        return unsafe bytes.map { $0 & 1 == 1 }
    }
}
