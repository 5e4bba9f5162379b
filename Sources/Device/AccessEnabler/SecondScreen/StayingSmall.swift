import POSIX

/// Gives memory back once the first question is on its way, and after those that follow, until the task is cancelled.
func staySmall() async {
    var pause = Duration.milliseconds(250)
    while (try? await Task.sleep(for: pause)) != nil {
        ThisProcess.releaseCode()
        pause = .seconds(60)
    }
}
