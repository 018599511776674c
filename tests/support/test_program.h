// SPDX-License-Identifier: GPL-3.0-or-later
// Registers test classes with the program they are linked into: one program per folder, each class run on its own.
#pragma once
#include <QCoreApplication>
#include <QtTest>

#include <optional>

namespace rankscope {

struct RegisteredTest {
    /// Runs before the application object exists. Returns an exit code to end with, or nothing to go on.
    using Prepare = std::optional<int> (*)(int argc, char** argv);
    using Run = int (*)(int argc, char** argv);

    RegisteredTest(const char* source_file, Run run_class, Prepare prepare_class = nullptr);
    QByteArray name; ///< "lazy" for test_lazy.cpp
    Run run;
    Prepare prepare;
};

/// Exit code of a class without failures in which at least one function was skipped; ctest shows it as skipped.
inline constexpr int kSkipped = 77;

/// Returns 0, the number of failures, or kSkipped.
int execute_test(QObject& test, int argc, char** argv);

template <typename Application, typename Test>
int run_test_class(int argc, char** argv) {
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    Test test;
    return execute_test(test, argc, argv);
}

} // namespace rankscope

#define RANKSCOPE_REGISTER_TEST(Application, Class, ...)         \
    static const ::rankscope::RegisteredTest registered_##Class( \
        __FILE__, ::rankscope::run_test_class<Application, Class> __VA_OPT__(, ) __VA_ARGS__);

/// At the end of a test file. The second argument, where there is one, is a RegisteredTest::Prepare.
#define RANKSCOPE_TEST(Class, ...) RANKSCOPE_REGISTER_TEST(QCoreApplication, Class __VA_OPT__(, ) __VA_ARGS__)
#define RANKSCOPE_GUI_TEST(Class, ...) RANKSCOPE_REGISTER_TEST(QApplication, Class __VA_OPT__(, ) __VA_ARGS__)
