// SPDX-License-Identifier: GPL-3.0-or-later
// Another machine for tests: an sshd of its own on 127.0.0.1, with its own keys and configuration, and an `ssh` that
// knows them. Nothing of the user's own is read or changed.
#pragma once
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/app/run_program.h"

namespace rankscope::test {

/// A port on 127.0.0.1 that accepts connections and never answers, while it lives.
class SilentPort {
public:
    SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* const any = reinterpret_cast<sockaddr*>(&address); // NOLINT: as POSIX has it
        if (::bind(socket_, any, size) != 0 || ::listen(socket_, 5) != 0 || ::getsockname(socket_, any, &size) != 0)
            qFatal("no port");
        port_ = ntohs(address.sin_port);
    }
    ~SilentPort() { ::close(socket_); }
    SilentPort(const SilentPort&) = delete;
    SilentPort& operator=(const SilentPort&) = delete;
    [[nodiscard]] int port() const { return port_; }

private:
    int socket_;
    int port_ = 0;
};

class SshServer {
public:
    /// Empty, or why there is none.
    QString start() {
        const QString sshd = program(QStringLiteral("sshd"));
        const QString ssh = program(QStringLiteral("ssh"));
        const QString keygen = program(QStringLiteral("ssh-keygen"));
        if (sshd.isEmpty() || ssh.isEmpty() || keygen.isEmpty())
            return QStringLiteral("skipped: no sshd; install openssh-server (scripts/setup --tests)");
        ssh_ = ssh;
        if (::geteuid() == 0)
            QDir().mkpath(QStringLiteral("/run/sshd")); // of a system where none ever ran
        for (const char* name : {"host_key", "user_key"})
            if (QProcess::execute(keygen, {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                                           QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(name)}) != 0)
                return QStringLiteral("ssh-keygen failed");
        write_file(path("authorized_keys"), read_file(path("user_key.pub")));
        for (const char* folder : {"far_bin", "near_bin"})
            QDir().mkpath(path(folder));
        installProgram();
        port_ = SilentPort().port();
        write_file(path("known_hosts"),
                   QStringLiteral("[127.0.0.1]:%1 ").arg(port_).toUtf8() + read_file(path("host_key.pub")));
        write_file(
            path("sshd_config"),
            QStringLiteral("ListenAddress 127.0.0.1\nPort %1\nHostKey %2/host_key\nAuthorizedKeysFile "
                           "%2/authorized_keys\nPidFile none\nStrictModes no\nUsePAM no\n"
                           "PasswordAuthentication no\nKbdInteractiveAuthentication no\nMaxStartups 100\n"
                           "SetEnv PATH=%2/far_bin:/usr/bin:/bin XDG_CACHE_HOME=%2/far_cache TMPDIR=%2/far_tmp\n")
                .arg(port_)
                .arg(folder_.path())
                .toUtf8());
        QDir().mkpath(path("far_tmp"));
        write_file(path("ssh_config"),
                   QStringLiteral("IdentityFile %1/user_key\nIdentitiesOnly yes\nIdentityAgent none\n"
                                  "UserKnownHostsFile %1/known_hosts\nGlobalKnownHostsFile /dev/null\n")
                       .arg(folder_.path())
                       .toUtf8());
        useSsh();
        sshd_.setProcessChannelMode(QProcess::MergedChannels);
        sshd_.start(sshd, {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"), path("sshd_config")});
        for (int i = 0; i < 50; ++i) {
            if (QProcess::execute(path("near_bin/ssh"),
                                  {QStringLiteral("-o"), QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
                                   QStringLiteral("LogLevel=QUIET"), QStringLiteral("-p"), QString::number(port_),
                                   QStringLiteral("127.0.0.1"), QStringLiteral("true")}) == 0)
                return {};
            if (sshd_.state() == QProcess::NotRunning)
                break;
            QTest::qWait(100);
        }
        return QStringLiteral("skipped: sshd does not start here: ") + QString::fromUtf8(sshd_.readAll());
    }
    ~SshServer() {
        sshd_.terminate();
        if (!sshd_.waitForFinished(3000))
            sshd_.kill();
        sshd_.waitForFinished(1000);
    }
    SshServer() = default;
    SshServer(const SshServer&) = delete;
    SshServer& operator=(const SshServer&) = delete;

    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }
    [[nodiscard]] int port() const { return port_; }
    /// The address of a path there; the path as it is in addresses.
    [[nodiscard]] QString address(const QString& there) const {
        return QStringLiteral("ssh://127.0.0.1:%1%2").arg(port_).arg(there);
    }
    /// The rankscope of the other machine is the one that was built.
    void installProgram() const {
        QFile::remove(path("far_bin/rankscope"));
        QFile::link(QStringLiteral(RANKSCOPE_PROGRAM), path("far_bin/rankscope"));
    }
    /// Another one, or none where the text is empty.
    void installScript(const QByteArray& script) const {
        QFile::remove(path("far_bin/rankscope"));
        if (!script.isEmpty())
            writeProgram(path("far_bin/rankscope"), script);
    }
    /// The ssh of this machine: its answers are counted in near_bin/answers.
    void useSsh() const {
        QFile::remove(path("answers"));
        writeProgram(path("near_bin/ssh"), QStringLiteral("#!/bin/sh\n%1 -F '%2' \"$@\" | tee -a '%3'\n")
                                               .arg(ssh_, path("ssh_config"), path("answers"))
                                               .toUtf8());
    }
    /// One whose first connections break after so many bytes.
    void useBreakingSsh(int connections, int bytes) const {
        QFile::remove(path("connections"));
        writeProgram(
            path("near_bin/ssh"),
            QStringLiteral("#!/bin/bash\necho x >>'%3'\nif [ $(wc -l <'%3') -gt %4 ]; then exec %1 -F '%2' "
                           "\"$@\"; fi\nexec 3<&0\nexec stdbuf -o0 head -c %5 < <(exec %1 -F '%2' \"$@\" <&3)\n")
                .arg(ssh_, path("ssh_config"), path("connections"))
                .arg(connections)
                .arg(bytes)
                .toUtf8());
    }
    /// One that does what the script says.
    void useScript(const QByteArray& script) const { writeProgram(path("near_bin/ssh"), script); }
    /// Bytes that came over connections of useSsh().
    [[nodiscard]] qint64 answered() const { return QFileInfo(path("answers")).size(); }

    static void writeProgram(const QString& path, const QByteArray& text) {
        QFile::remove(path);
        write_file(path, text);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

private:
    static QString program(const QString& name) {
        const QString found = QStandardPaths::findExecutable(name);
        return found.isEmpty() ? QStandardPaths::findExecutable(
                                     name, {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/local/sbin")})
                               : found;
    }

    QTemporaryDir folder_;
    QProcess sshd_;
    QString ssh_;
    int port_ = 0;
};

} // namespace rankscope::test
