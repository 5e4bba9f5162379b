import Clientless
import CommandLineTool

extension SettingKind where Value == RequestorID {
    static var requestorID: SettingKind {
        .parsed("a requestor ID: 1 to 64 letters, digits, '_' or '-'", RequestorID.init, \.text)
    }
}

extension SettingKind where Value == MVPDID {
    static var mvpdID: SettingKind {
        .parsed("a provider ID: 1 to 64 letters, digits, '_' or '-'", MVPDID.init, \.text)
    }
}
