import HTTPClient
import OpenIDConnect
import ServerAPI

struct LogoReader: Sendable {
    private static let time: Duration = .seconds(10)

    /// The way to addresses. It follows no redirection.
    let exchange: any ProviderTransport

    func picture(from source: LogoSource) async throws(LogoFault) -> Picture {
        switch source {
        case .file(let path): try Self.picture(inFile: path, atMost: LogoShelf.maximumSize)
        case .address(let address): try Self.picture(try await self.fetch(address), atMost: LogoShelf.maximumSize)
        }
    }

    static func picture(inFile path: String, atMost limit: Int) throws(LogoFault) -> Picture {
        let bytes: [UInt8]
        do throws(OperatorError) {
            bytes = Array(try PrivateFiles.read(path, limit: max(limit, LogoShelf.maximumSize)))
        } catch {
            throw LogoFault(description: error.sentence)
        }
        return try self.picture(bytes, atMost: limit)
    }

    private func fetch(_ address: String) async throws(LogoFault) -> [UInt8] {
        let request = HTTPClient.Request(
            .get, address, headers: ["Accept": "image/svg+xml, image/webp, image/png"],
            limit: LogoShelf.maximumSize, time: Self.time)
        let answer = try await self.exchange.send(request) { LogoFault(description: $0.reason) }
        guard answer.status == 200 else { throw LogoFault(description: "the answer has the status \(answer.status)") }
        return answer.body
    }

    private static func picture(_ bytes: [UInt8], atMost limit: Int) throws(LogoFault) -> Picture {
        do throws(PictureFault) {
            return try Picture(bytes, atMost: limit)
        } catch {
            throw LogoFault(description: "\(error)", isOfPicture: true)
        }
    }
}

/// Why there is no logo.
struct LogoFault: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
    /// Whether there is one that pages cannot show, in place of none.
    var isOfPicture = false
}
