// SPDX-License-Identifier: GPL-3.0-or-later
// main() of a test program: PROGRAM CLASS [Qt Test's options]; without arguments it lists its classes.
#include "tests/support/test_program.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace rankscope {
namespace {

std::vector<const RegisteredTest*>& registered_tests() {
    static std::vector<const RegisteredTest*> tests;
    return tests;
}

/// Whether the caller already says where results go: Qt Test writes to at most one place as text.
bool has_output_option(int argc, char** argv) {
    return std::any_of(
        argv + 1, argv + argc, [](const char* argument) { return QByteArrayView(argument) == "-o"; });
}

int skipped_functions(const QString& junit_file) {
    QFile file(junit_file);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("testsuite"))
            return xml.attributes().value(QLatin1String("skipped")).toInt();
    return 0;
}

} // namespace

RegisteredTest::RegisteredTest(const char* source_file, Run run_class, Prepare prepare_class)
    : name(QFileInfo(QString::fromLocal8Bit(source_file)).completeBaseName().toUtf8()), run(run_class),
      prepare(prepare_class) {
    if (name.startsWith("test_"))
        name.remove(0, 5);
    registered_tests().push_back(this);
}

int execute_test(QObject& test, int argc, char** argv) {
    if (has_output_option(argc, argv))
        return QTest::qExec(&test, argc, argv);
    const QTemporaryDir folder;
    const QString results = folder.filePath(QStringLiteral("results.xml"));
    std::vector<QByteArray> arguments(argv, argv + argc);
    for (const QByteArray& argument : QByteArrayList{"-o", results.toLocal8Bit() + ",junitxml", "-o", "-,txt"})
        arguments.push_back(argument);
    std::vector<char*> pointers;
    for (QByteArray& argument : arguments)
        pointers.push_back(argument.data());
    const int failures = QTest::qExec(&test, static_cast<int>(pointers.size()), pointers.data());
    return failures == 0 && skipped_functions(results) > 0 ? kSkipped : failures;
}

} // namespace rankscope

int main(int argc, char** argv) {
    using namespace rankscope;
    const auto& tests = registered_tests();
    if (argc < 2) {
        for (const RegisteredTest* test : tests)
            std::puts(test->name.constData());
        return 0;
    }
    const auto found =
        std::find_if(tests.begin(), tests.end(), [&](const RegisteredTest* test) { return test->name == argv[1]; });
    if (found == tests.end()) {
        std::fprintf(stderr, "%s: no test class %s\n", argv[0], argv[1]);
        return 2;
    }
    // Qt Test and the class see the arguments after the class's name.
    std::vector<char*> rest{argv[0]};
    rest.insert(rest.end(), argv + 2, argv + argc);
    int count = static_cast<int>(rest.size());
    rest.push_back(nullptr);
    if ((*found)->prepare != nullptr) {
        if (const std::optional<int> code = (*found)->prepare(count, rest.data()))
            return *code;
    }
    return (*found)->run(count, rest.data());
}
