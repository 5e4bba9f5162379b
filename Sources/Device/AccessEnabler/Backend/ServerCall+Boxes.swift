import Clientless
import HTTPClient

// The viewer's boxes: extensions of our server to the SDK services.
extension ServerCall {
    /// More than any list of the server; what stands beyond is left out.
    private static let mostBoxes = 200
    /// In bytes, for names that may be anything.
    private static let longestText = 512

    /// The boxes that the viewer is signed in on.
    func viewerBoxes(_ token: String) async throws(EntitlementError) -> AccessEnabler.ViewerBoxes {
        let answer = try await self.service("boxes", [("authentication_token", token)], accept: "application/json")
        guard answer.status == 200, answer.xml == nil else { throw Self.boxError(answer) }
        let document: BoxDocument = try answer.decoded()
        let boxes = document.boxes.prefix(Self.mostBoxes).map { box in
            AccessEnabler.ViewerBox(
                handle: box.box.prefix(bytes: Self.longestText), name: box.name?.prefix(bytes: Self.longestText),
                // The word of a box that knows no model, which is not one (rest-v1 5).
                model: box.model == "Unknown" ? nil : box.model?.prefix(bytes: Self.longestText),
                since: Timestamp(milliseconds: box.since.milliseconds),
                seen: box.seen.map { Timestamp(milliseconds: $0.milliseconds) },
                expires: Timestamp(milliseconds: box.expires.milliseconds), isThis: box.this)
        }
        return AccessEnabler.ViewerBoxes(boxes: boxes, hasMore: document.more || document.boxes.count > boxes.count)
    }

    /// Signs another of the viewer's boxes out.
    /// - Returns: whether there was such a box.
    func signOut(box: String, _ token: String) async throws(EntitlementError) -> Bool {
        let answer = try await self.service("boxLogout", [("authentication_token", token), ("box", box)])
        switch answer.status {
        case 204: return true
        // An answer without an error of ours comes from an older server, which has no such call.
        case 404 where answer.xml?["details"] != nil: return false
        default: throw Self.boxError(answer)
        }
    }

    private static func boxError(_ answer: WireAnswer) -> EntitlementError {
        guard answer.status == 404 || answer.status == 405 else { return serviceError(answer) }
        return EntitlementError(.refused, status: answer.status, detail: "it keeps no lists of boxes")
    }
}

private struct BoxDocument: Decodable {
    struct Box: Decodable {
        let box: String
        let name: String?
        let model: String?
        let since: WireTime
        let seen: WireTime?
        let expires: WireTime
        let this: Bool
    }

    let boxes: [Box]
    let more: Bool
}
