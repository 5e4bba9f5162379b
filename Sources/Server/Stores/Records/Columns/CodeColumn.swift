package import Clientless
package import Entitlement

package enum CodeColumn: String, ColumnList {
    case code, id, requestor
    case deviceID = "device_id"
    case device
    case appID = "app_id"
    case deviceUser = "device_user"
    case mvpd
    case registrationURL = "registration_url"
    case deviceType = "device_type"
    case appVersion = "app_version"
    case boxName = "box_name"
    case boxModel = "box_model"
    case boxSoftware = "box_software"
    case boxUserAgent = "box_user_agent"
    case boxInformation = "box_information"
    case boxAddress = "box_address"
    case applicationID = "application_id"
    case applicationName = "application_name"
    case applicationVersion = "application_version"
    case generated, expires, state
    case stateDetail = "state_detail"
    case version
    /// `expires` while the code is open, NULL from then on; used by the store alone.
    case openUntil = "open_until"
    case credential

    package static let listed = Listed<Self>("codes", "ON CONFLICT (code) DO NOTHING")

    package var field: Field<RegistrationRecord> {
        switch self {
        case .code: Field { $0.code }
        case .id: Field { $0.id }
        case .requestor: Field { $0.request.requestor }
        case .deviceID: Field { $0.request.deviceID }
        case .device: Field { $0.request.context.device }
        case .appID: Field { $0.request.context.appID }
        case .deviceUser: Field { $0.request.context.deviceUser }
        case .mvpd: Field { $0.request.mvpd }
        case .registrationURL: Field { $0.request.registrationURL }
        case .deviceType: Field { $0.request.deviceType }
        case .appVersion: Field { $0.request.appVersion }
        case .boxName: Field { $0.request.box.name }
        case .boxModel: Field { $0.request.box.model }
        case .boxSoftware: Field { $0.request.box.software }
        case .boxUserAgent: Field { $0.request.box.userAgent }
        case .boxInformation: Field { $0.request.box.deviceInformation }
        case .boxAddress: Field { $0.request.box.address }
        case .applicationID: Field { $0.request.application?.id }
        case .applicationName: Field { $0.request.application?.name }
        case .applicationVersion: Field { $0.request.application?.version }
        case .generated: Field { $0.life.generated }
        case .expires: Field { $0.life.expires }
        case .state: Field { StateColumns.values(of: $0.life.storedState).number }
        case .stateDetail: Field { StateColumns.values(of: $0.life.storedState).detail }
        case .version: Field { $0.version }
        case .openUntil: Field { Self.openUntil($0) }
        case .credential: Field { $0.request.credential }
        }
    }

    /// When the code stops being open by itself; `nil` when it is over or completed already, and for one of no box.
    package static func openUntil(_ record: RegistrationRecord) -> Timestamp? {
        switch record.life.storedState {
        case .waiting, .opened, .loggingIn, .confirming: record.isOfBoxList ? nil : record.life.expires
        case .completed, .declined, .cancelled, .expired: nil
        }
    }

    package static func record<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> RegistrationRecord {
        let context = DeviceContext(
            device: try row.value(Self.device), appID: try row.valueIfAny(Self.appID),
            deviceUser: try row.valueIfAny(Self.deviceUser))
        let box = BoxDescription(
            name: try row.valueIfAny(Self.boxName), model: try row.valueIfAny(Self.boxModel),
            software: try row.valueIfAny(Self.boxSoftware), userAgent: try row.valueIfAny(Self.boxUserAgent),
            deviceInformation: try row.valueIfAny(Self.boxInformation), address: try row.value(Self.boxAddress))
        let state = StateColumns.state(number: try row.value(Self.state), detail: try row.valueIfAny(Self.stateDetail))
        guard let state else { throw .nonsense("a code is in no known state") }
        return RegistrationRecord(
            id: try row.value(Self.id), code: try row.value(Self.code),
            request: CodeRequest(
                requestor: try row.value(Self.requestor), deviceID: try row.value(Self.deviceID), context: context,
                mvpd: try row.valueIfAny(Self.mvpd), registrationURL: try row.valueIfAny(Self.registrationURL),
                deviceType: try row.valueIfAny(Self.deviceType), appVersion: try row.valueIfAny(Self.appVersion),
                box: box, application: try self.application(from: &row),
                credential: try row.valueIfAny(Self.credential)),
            life: RegistrationCode(
                generated: try row.value(Self.generated), expires: try row.value(Self.expires), state: state),
            version: try row.value(Self.version))
    }

    private static func application<Row: RecordRow>(from row: inout Row) throws(Row.Failure) -> ApplicationReference? {
        guard let id: String = try row.valueIfAny(Self.applicationID),
            let name: String = try row.valueIfAny(Self.applicationName),
            let version: String = try row.valueIfAny(Self.applicationVersion)
        else { return nil }
        return ApplicationReference(id: id, name: name, version: version)
    }
}

/// The stored state of a code as a number and what belongs to it: the refusal of a waiting code, or the AuthN record of
/// a completed one.
package enum StateColumns {
    package static func values(of state: RegistrationCode.State) -> (number: Int64, detail: String?) {
        switch state {
        case .waiting(let refusal): (0, refusal)
        case .loggingIn: (1, nil)
        case .confirming: (2, nil)
        case .completed(let authentication): (3, authentication.text)
        case .declined: (4, nil)
        case .cancelled: (5, nil)
        case .expired: (6, nil)
        case .opened: (7, nil)
        }
    }

    /// - Returns: `nil` if no store wrote it.
    static func state(number: Int64, detail: String?) -> RegistrationCode.State? {
        switch (number, detail) {
        case (0, _): return .waiting(refusal: detail)
        case (1, _): return .loggingIn
        case (2, _): return .confirming
        case (3, let authentication?): return .completed(AuthNID(text: authentication))
        case (4, _): return .declined
        case (5, _): return .cancelled
        case (6, _): return .expired
        case (7, _): return .opened
        default: return nil
        }
    }
}
