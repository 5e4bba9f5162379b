import CommandLineTool
import Entitlement
import HTTPServer
import Lifecycle

/// Says in words why the server did not start, or did not go on.
enum StartFailure {
    /// - Returns: an `OperatorError` for every cause that is known, else `error` itself.
    static func described(_ error: any Error, storeFile: String?) -> any Error {
        switch error {
        case let error as HTTPServerError: Self.describe(error)
        case is StoreError, is EntitlementError: StoreProblem.described(error, file: storeFile)
        case let error as ServiceEndedEarly:
            OperatorError("The server stopped by itself: \(error).", exitCode: .internalError)
        default: error
        }
    }

    private static func describe(_ error: HTTPServerError) -> OperatorError {
        func failure(_ sentence: String, _ advice: String) -> OperatorError {
            OperatorError(sentence, advice: advice, exitCode: .addressUnavailable)
        }
        let address = error.address
        return switch error.code {
        case .addressInUse:
            failure(
                "The address \(address) is taken: another program listens there.",
                "Stop that program ('ss -ltnp' names it), or set another one in server.listen or --listen.")
        case .addressUnavailable:
            failure(
                "The address \(address) is not one of this machine.",
                "'ip address' shows those it has; set one in server.listen or --listen.")
        case .permissionDenied:
            failure(
                "This user may not listen on \(address).",
                "Ports below 1024 need the capability CAP_NET_BIND_SERVICE; a socket's folder must be writable.")
        case .badAddress:
            failure(
                "\(address) is no address to listen on.", "Write it as in '127.0.0.1:8080', '*:8080' or 'unix:/path'.")
        case .badTLS:
            failure(
                "The certificate for \(address) cannot be used (\(error.detail ?? "no reason given")).",
                "server.certificate and server.certificateKey must be PEM files that belong together.")
        default:
            failure(
                "The address \(address) cannot be listened on (\(error.detail ?? "error \(error.errno)")).",
                "The log may say more.")
        }
    }
}
