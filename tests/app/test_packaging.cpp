// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop is told about the program: one identity everywhere, types told by name, files that their validators
// accept.
#include <QMimeDatabase>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/app/run_program.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::packaging_test {
using namespace rankscope::test;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString kId = u"org.rankscope.Rankscope"_s;
const QString kLinux = QStringLiteral(RANKSCOPE_SOURCE_DIR "/packaging/linux/");

/// The build folder's packaging, beside the program.
QString built(const QString& name) {
    return QDir::cleanPath(QFileInfo(QStringLiteral(RANKSCOPE_PROGRAM)).path() + u"/../packaging/"_s + name);
}

QString desktopValue(const QString& key) {
    for (const QString& line : QString::fromUtf8(read_file(kLinux + kId + u".desktop"_s)).split(u'\n'))
        if (line.startsWith(key + u'='))
            return line.mid(key.size() + 1);
    return {};
}

/// The texts of all elements of this name.
QStringList elements(const QString& path, const QString& name) {
    QXmlStreamReader xml(read_file(path));
    QStringList found;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == name)
            found << xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    if (xml.hasError())
        qFatal("%s: %s", qPrintable(path), qPrintable(xml.errorString()));
    return found;
}

/// "": the program is content; "skip": it is not here.
QString verdict(const QString& program, const QStringList& arguments) {
    if (QStandardPaths::findExecutable(program).isEmpty())
        return u"skip"_s;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(60000))
        return u"did not end"_s;
    const QString said = QString::fromUtf8(process.readAll());
    return process.exitCode() == 0 ? QString() : (said.isEmpty() ? u"failed"_s : said);
}

} // namespace

class TestPackaging : public QObject {
    Q_OBJECT
    QTemporaryDir data_;

private Q_SLOTS:
    /// This process sees the types as after an installation, and none of the user's own.
    void initTestCase() {
        QDir().mkpath(data_.filePath(u"mime/packages"_s));
        QVERIFY(QFile::copy(kLinux + kId + u".mime.xml"_s, data_.filePath(u"mime/packages/%1.xml"_s.arg(kId))));
        qputenv("XDG_DATA_HOME", data_.path().toUtf8());
    }

    void oneIdentityEverywhere() {
        const QString metainfo = built(kId + u".metainfo.xml"_s);
        QCOMPARE(elements(metainfo, u"id"_s), QStringList{kId});
        QCOMPARE(elements(metainfo, u"launchable"_s), QStringList{kId + u".desktop"_s});
        QCOMPARE(desktopValue(u"Icon"_s), kId);
        QCOMPARE(desktopValue(u"Exec"_s), u"rankscope %F"_s);
        QVERIFY(read_file(QStringLiteral(RANKSCOPE_SOURCE_DIR "/app/window/gui.cpp"))
                    .contains(QByteArray("setDesktopFileName(u\"" + kId.toUtf8() + "\"_s)")));
        for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512})
            QCOMPARE(QImage(built(u"icons/%1.png"_s.arg(size))).size(), QSize(size, size));
    }

    void theDesktopFileClaimsTheTypesOfThePackageAndNoFolders() {
        QStringList claimed = desktopValue(u"MimeType"_s).split(u';', Qt::SkipEmptyParts);
        QStringList provided = elements(built(kId + u".metainfo.xml"_s), u"mediatype"_s);
        QStringList declared;
        auto types = QRegularExpression(u"<mime-type type=\"([^\"]+)\""_s)
                         .globalMatch(QString::fromUtf8(read_file(kLinux + kId + u".mime.xml"_s)));
        while (types.hasNext())
            declared << types.next().captured(1);
        for (QStringList* list : {&claimed, &provided, &declared})
            list->sort();
        QCOMPARE(claimed, declared);
        QCOMPARE(provided, declared);
        QVERIFY(!claimed.contains(u"inode/directory"_s));
    }

    void tracesAreToldByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("parent");
        const auto row = [](const char* name, const char* type, const char* parent) {
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(type)
                                << QString::fromLatin1(parent);
        };
        row("host_77.1700.pt.trace.json", "application/x-pytorch-trace+json", "application/json");
        row("host_77.1700.pt.trace.json.gz", "application/x-pytorch-trace+gzip", "application/gzip");
        row("host_77.1700.pt.trace.json.zst", "application/x-pytorch-trace+zstd", "application/zstd");
        row("run.nsys-rep", "application/x-nsys-report", "application/octet-stream");
        row("nsys_3.sqlite", "application/x-nsys-sqlite", "application/vnd.sqlite3");
        row("report1.sqlite", "application/x-nsys-sqlite", "application/vnd.sqlite3");
        row("package.json", "application/json", "");
        row("logs.json.gz", "application/gzip", "");
    }
    void tracesAreToldByName() {
        QFETCH(const QString, name);
        QFETCH(const QString, type);
        QFETCH(const QString, parent);
        const QMimeType told = QMimeDatabase().mimeTypeForFile(name, QMimeDatabase::MatchExtension);
        QCOMPARE(told.name(), type);
        if (!parent.isEmpty())
            QVERIFY(told.inherits(parent));
    }

    void whatIsWrittenByTheProfilerIsToldToo() {
        const QString trace = data_.filePath(u"a.pt.trace.json"_s);
        write_file(trace, step_trace(0));
        QCOMPARE(QMimeDatabase().mimeTypeForFile(trace).name(), u"application/x-pytorch-trace+json"_s);
        const QString report = data_.filePath(u"nsys_0.sqlite"_s);
        NsysExport(report.toStdString()).session_start(1);
        QCOMPARE(QMimeDatabase().mimeTypeForFile(report).name(), u"application/x-nsys-sqlite"_s);
    }

    void validatorsAgree_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* title, const QString& program, const QStringList& arguments) {
            QTest::newRow(title) << program << arguments;
        };
        row("desktop file", u"desktop-file-validate"_s, {kLinux + kId + u".desktop"_s});
        row("metainfo", u"appstreamcli"_s, {u"validate"_s, u"--no-net"_s, built(kId + u".metainfo.xml"_s)});
        row("bash completion", u"shellcheck"_s, {built(u"pages/rankscope.bash"_s)});
        QStringList scripts;
        for (const char* folder : {"/scripts", "/packaging/linux"})
            for (const QFileInfo& file :
                 QDir(QStringLiteral(RANKSCOPE_SOURCE_DIR) + QLatin1String(folder)).entryInfoList(QDir::Files))
                if (read_file(file.filePath()).startsWith("#!"))
                    scripts << file.filePath();
        row("scripts", u"shellcheck"_s, scripts);
    }
    void validatorsAgree() {
        QFETCH(const QString, program);
        QFETCH(const QStringList, arguments);
        const QString said = verdict(program, arguments);
        if (said == "skip"_L1)
            QSKIP(qPrintable(u"skipped: no %1"_s.arg(program)));
        QCOMPARE(said, QString());
    }
};

RANKSCOPE_GUI_TEST(TestPackaging)

} // namespace rankscope::packaging_test

#include "test_packaging.moc"
