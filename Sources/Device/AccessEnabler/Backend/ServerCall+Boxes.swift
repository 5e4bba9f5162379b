import Clientless
import HTTPClient

// The viewer's boxes: extensions of our server to the SDK services.
extension ServerCall {
    /// More than any list of the server; what stands beyond is left out.
    private static let mostBoxes = 200
    /// In bytes, for names that may be anything.
    private static let longestText = 512

    /// The boxes that the viewer is signed in on.
    func viewerBoxes(
        _ token: String
    ) async throws(EntitlementError) -> (boxes: [AccessEnabler.ViewerBox], hasMore: Bool) {
        let answer = try await self.service("boxes", [("authentication_token", token)], accept: "application/json")
        guard answer.status == 200, answer.xml == nil else { throw Self.boxError(answer) }
        guard let json = answer.json, let list = json["boxes"]?.array, let hasMore = json["more"]?.boolean
        else { throw answer.malformed }
        let boxes = try list.prefix(Self.mostBoxes).map { (json) throws(EntitlementError) in
            func text(_ name: String) -> String? { json[name]?.string?.prefix(bytes: Self.longestText) }
            guard let handle = text("box"), let since = json["since"]?.time, let expires = json["expires"]?.time,
                let isThis = json["this"]?.boolean
            else { throw answer.malformed }
            return AccessEnabler.ViewerBox(
                // The word of a box that knows no model, which is not one (rest-v1 5).
                handle: handle, name: text("name"), model: text("model").flatMap { $0 == "Unknown" ? nil : $0 },
                since: since, seen: json["seen"]?.time, expires: expires, isThis: isThis)
        }
        return (boxes, hasMore || list.count > boxes.count)
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
