import Clientless
import Entitlement
import HTTPServer
import TextCoding

// `preauthorize`, by device and by code: what may be played, to show locks (rest-v1 17).
extension RESTv1 {
    private static let names = APIField.required(
        "resource", APIField.resourceText, "Names of resources with commas between them; no MRSS.")
    private static let tooMany = "More resources than the requestor may ask about."
    private static let verdicts = APIAnswer.document(
        200, "One verdict for each resource, in the order asked.", json: "Preauthorization",
        xml: "PreauthorizationDocument",
        headers: [
            .always("Adobe-Response-Confidence", .constant(.string("full")), "How sure the verdicts are.")
        ])
    private static let unsigned = APIAnswer.error(412, "`User not authenticated`", .authentication, .authorization)
    private static let wrongMethod = APIAnswer.error(
        405, "Another method.", .authentication,
        headers: [.always("Allow", .text(1...64), "The methods there are.")])

    static let preauthorizationEndpoints: [Endpoint<RESTv1>] = [
        Endpoint(
            [
                (.get, "/api/v1/preauthorize", "preauthorize"),
                (.post, "/api/v1/preauthorize", "preauthorizeByForm"),
            ], name: "preauthorize", .authorization, "Ask which resources would probably be permitted",
            "For showing them; nothing is stored.", section: "rest-v1 17", requestor: .parameter, limits: .devices,
            bodyLimit: .form, headers: APIField.deviceHeaders, fields: APIField.device + [names],
            answers: [verdicts, unsigned, wrongMethod]
                + APIAnswer.device(invalid: APIAnswer.missing, forbidden: tooMany, .authorization),
            errors: .devices(.preauthorization),
            handler: .devicePoll(
                Poller(memory: { try $0.rememberedPreauthorization($1) }), orElse: { try await $0.preauthorize($1) })),
        // A page asks, so no device is authenticated; the requestor it names decides how errors are written.
        Endpoint(
            [
                (.get, "/api/v1/preauthorize/{code}", "preauthorizeCode"),
                (.post, "/api/v1/preauthorize/{code}", "preauthorizeCodeByForm"),
            ], name: "preauthorize-code", .authorization, "Ask the same for the sign-in a code has led to",
            "For the page a login came back to.", section: "rest-v1 17", requestor: .parameter, limits: .guessers,
            bodyLimit: .form, fields: [.mandatoryRequestor, names, .format],
            answers: [
                verdicts, unsigned, wrongMethod,
                .error(400, APIAnswer.missing, .authentication, .authorization),
                .error(403, tooMany, .authentication, .authorization),
            ] + APIAnswer.always, errors: .devices(.preauthorization),
            handler: .open { try await $0.preauthorize(byCode: $1) }),
    ]

    private func preauthorize(_ device: DeviceCall) async throws -> HTTPResponse {
        let requestor = try device.requestor()
        let context = try self.context(of: device.call)
        let list = try self.list(device.call, requestor)
        let verdicts = try await self.domain.decisions.preauthorize(
            list.resources, context: context, requestor: requestor, now: device.call.now)
        return Preauthorization.answer(verdicts, on: list, self.style(device.call, requestor), device.call.format)
    }

    /// The same for a viewer whose channels memory knows: most calls repeat one.
    private func rememberedPreauthorization(_ device: DeviceCall) throws -> HTTPResponse? {
        let requestor = try device.requestor()
        let context = try self.context(of: device.call)
        let list = try self.list(device.call, requestor)
        guard
            let lineUp = try self.domain.decisions.rememberedLineUp(
                of: context, for: list.names.count, requestor: requestor, now: device.call.now)
        else { return nil }
        let names = list.bytes.span
        return Preauthorization.answer(
            list.names.map { lineUp.has(names.extracting($0.place), hash: $0.hash) }, on: list,
            self.style(device.call, requestor), device.call.format
        ) { .deny(.provider, reason: LineUp.sentence(without: list.text(at: $0))) }
    }

    private func preauthorize(byCode call: Call) async throws -> HTTPResponse {
        guard let name = call.requestorName, !name.isEmpty else { throw WireError.missing("requestor") }
        guard let requestor = self.authenticator.catalogue.requestorID(named: name)
        else { throw WireError.invalid("requestor") }
        let list = try self.list(call, requestor)
        guard let code = RegistrationCodeText(call.request.segment("code"))
        else { throw EntitlementError(.notAuthenticated) }
        let verdicts = try await self.domain.decisions.preauthorize(
            list.resources, code: code, requestor: requestor, by: self.guesser(of: call), now: call.now)
        return Preauthorization.answer(verdicts, on: list, self.style(call, requestor), call.format)
    }

    /// Whole lists that were read last, by their texts as they came: the boxes of an application ask about the same ones.
    private static let lists = BoundedMemory<ExactText, ResourceList>(bound: 64)

    private func list(_ call: Call, _ requestor: RequestorID) throws(WireError) -> ResourceList {
        let received = call.parameters.undeclared.undecoded("resource") ?? []
        let text = ExactText(received.count > 4096 ? "" : String(decoding: received, as: UTF8.self))
        if let known = Self.lists[text] { return known }
        let limit = self.domain.catalogue.requestor(requestor)?.preauthorizationLimit ?? 0
        let list = try ResourceList(try call.required("resource"), limit: limit)
        guard list.isPlain, list.names.count <= limit, !text.text.isEmpty else { return list }
        return Self.lists.update(text, initial: list) { $0 }
    }

    private func style(_ call: Call, _ requestor: RequestorID) -> ErrorStyle {
        self.context.style(for: requestor, trace: call.request.id)
    }
}

/// The resources that may be played, to show locks (rest-v1 17).
enum Preauthorization {
    private static let verdict = JSONSchema.object([
        .required("id", APIField.resourceText), .required("authorized", .flag),
        .optional("error", .named("EnhancedError")),
    ])

    static let inJSON = JSONSchema.object([.required("resources", .list(of: verdict))])
    static let inXML = JSONSchema.object([.required("resource", .list(of: verdict))])

    /// The bytes around the values. Each addition to an answer costs as much as a hundred bytes of it, so they are few.
    private struct Frame {
        /// The start, and each end of an item, hold the beginning of the next one.
        let start, permitted, denied, deniedEnd, itemEnd, end: [UInt8]
        /// How many bytes an item begins with.
        let item: Int

        private init(start: String, item: String, permitted: String, denied: String, itemEnd: String, end: String) {
            (self.start, self.item, self.end) = (Array(start.utf8), item.utf8.count, Array(end.utf8))
            (self.denied, self.itemEnd) = (Array(denied.utf8), Array((itemEnd + item).utf8))
            (self.permitted, self.deniedEnd) = (Array(permitted.utf8) + self.itemEnd, self.denied + self.itemEnd)
        }

        static let json = Frame(
            start: #"{"resources":[{"id":""#, item: #",{"id":""#, permitted: #"","authorized":true"#,
            denied: #"","authorized":false"#, itemEnd: "}", end: "]}")
        /// The items stand below the root, without a list around them.
        static let xml = Frame(
            start: "\(DocumentWriter.declaration)<resources><resource><id>", item: "<resource><id>",
            permitted: "</id><authorized>true</authorized>", denied: "</id><authorized>false</authorized>",
            itemEnd: "</resource>", end: "</resources>")
    }

    static func answer(
        _ verdicts: [Verdict], on list: ResourceList, _ style: ErrorStyle, _ format: WireFormat
    ) -> HTTPResponse {
        self.answer(verdicts.map(\.isPermit), on: list, style, format) { verdicts[$0] }
    }

    /// By way of a ``Shape``, fifty verdicts would take longer than the rest of their call.
    /// - Parameter verdict: is asked for the reason why a resource is not permitted.
    static func answer(
        _ permits: [Bool], on list: ResourceList, _ style: ErrorStyle, _ format: WireFormat,
        verdict: (Int) -> Verdict
    ) -> HTTPResponse {
        let (isJSON, frame) = (format == .json, format == .json ? Frame.json : Frame.xml)
        let saysWhy = style != nil
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128 + 64 * permits.count)
        bytes += frame.start
        for (place, isPermit) in permits.enumerated() {
            if isJSON && list.isPlain {
                bytes += list.bytes[list.names[place].place]
            } else if isJSON {
                JSONText.appendContent(list.text(at: place), to: &bytes)
            } else {
                XMLText.append(list.text(at: place), in: .content, to: &bytes)
            }
            if isPermit {
                bytes += frame.permitted
            } else if saysWhy, let error = self.error(of: verdict(place), style, format) {
                bytes += frame.denied
                bytes += error
                bytes += frame.itemEnd
            } else {
                bytes += frame.deniedEnd
            }
        }
        bytes.removeLast(frame.item)
        bytes += frame.end
        return Answer.bytes(bytes, format).adding("Adobe-Response-Confidence", "full")
    }

    /// The members of an error in the order of rest-v1 17.
    private static let error = Shape(Array(WireError.shape.members.dropFirst()) + [WireError.shape.members[0]])
    private static let errorName = MemberName("error")

    /// The member about why a resource is not permitted, for those who want to know.
    private static func error(of verdict: Verdict, _ style: ErrorStyle, _ format: WireFormat) -> [UInt8]? {
        guard case .deny(let reason) = verdict.decision else { return nil }
        let error = WireError(
            .forbidden, "User not authorized", code: ErrorCode(verdict.denial),
            details: reason.map { .string($0) })
        var writer = DocumentWriter(format.shape)
        writer.member(self.errorName) { self.error.write((error, style), to: &$0) }
        return writer.bytes
    }
}
