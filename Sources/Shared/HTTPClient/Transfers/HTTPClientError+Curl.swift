import CCurl

extension HTTPClientError {
    /// The error for a result other than `CURLE_OK`, told apart by its number (libcurl-errors(3)).
    init(curl result: CURLcode) {
        let code: Code =
            switch result {
            case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
                CURLE_PROXY:
                .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
                CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
                .tls
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_ABORTED_BY_CALLBACK: .cancelled
            // Any end of a handshake, also of a connection that was reset. A certificate has results of its own.
            case CURLE_SSL_CONNECT_ERROR: .connectionLost
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: .connectionLost
            case CURLE_WEIRD_SERVER_REPLY, CURLE_TOO_MANY_REDIRECTS, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3,
                CURLE_BAD_CONTENT_ENCODING, CURLE_CHUNK_FAILED, CURLE_UNSUPPORTED_PROTOCOL:
                // Our own URLs are http or https; this one is an answer without a status line, or a redirect elsewhere.
                .protocolError
            case CURLE_URL_MALFORMAT: .invalidRequest
            default: .other
            }
        // curl_easy_strerror(3) returns a constant text that is never freed.
        let detail = unsafe curl_easy_strerror(result).map { unsafe String(cString: $0) }
        self.init(code, curlCode: result.rawValue, detail: detail)
    }
}
