// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads are of use, from what a system says of its control groups.
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/base/cpu_quota.h"
#include "tests/support/test_program.h"

namespace rankscope::cpu_quota_test {

namespace fs = std::filesystem;

class TestCpuQuota : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int count_ = 0;
    fs::path root_;

    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }

private Q_SLOTS:
    void init() { root_ = folder_.path().toStdString() + "/" + std::to_string(count_++); }

    void withoutControlGroupsThereIsNoLimit() { QVERIFY(!cpu_quota(root_)); }

    void version2() {
        write("proc/self/cgroup", "0::/work/job\n");
        write("sys/fs/cgroup/work/job/cpu.max", "max 100000\n");
        QVERIFY(!cpu_quota(root_));
        write("sys/fs/cgroup/work/job/cpu.max", "150000 100000\n");
        QCOMPARE(cpu_quota(root_).value_or(0), 1.5);
    }
    void theSmallestOfTheGroupsAroundCounts() {
        write("proc/self/cgroup", "0::/work/job\n");
        write("sys/fs/cgroup/work/job/cpu.max", "400000 100000\n");
        write("sys/fs/cgroup/work/cpu.max", "200000 100000\n");
        QCOMPARE(cpu_quota(root_).value_or(0), 2.0);
    }
    void inAContainerTheUppermostGroupIsItsOwn() {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/cpu.max", "50000 100000\n");
        QCOMPARE(cpu_quota(root_).value_or(0), 0.5);
    }
    void version1() {
        write("proc/self/cgroup", "9:cpuset:/\n4:cpu,cpuacct:/docker/abc\n0::/\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        QVERIFY(!cpu_quota(root_));
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n"); // /docker/abc is not to be seen from inside
        QCOMPARE(cpu_quota(root_).value_or(0), 3.0);
    }
    void whatIsNoNumberIsNoLimit() {
        write("proc/self/cgroup", "nonsense\n0::/\n4:cpu:/\n");
        write("sys/fs/cgroup/cpu.max", "");
        write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "0");
        write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "x");
        QVERIFY(!cpu_quota(root_));
    }

    void threads_data() {
        QTest::addColumn<int>("wanted");
        QTest::addColumn<int>("cores");
        QTest::addColumn<double>("quota");
        QTest::addColumn<int>("threads");
        QTest::addRow("all") << 0 << 4 << 0.0 << 4;
        QTest::addRow("fewer") << 3 << 4 << 0.0 << 3;
        QTest::addRow("more than cores") << 8 << 2 << 0.0 << 2;
        QTest::addRow("one core") << 8 << 1 << 0.0 << 1;
        QTest::addRow("quota") << 0 << 64 << 2.0 << 2;
        QTest::addRow("quota beyond the cores") << 0 << 2 << 16.0 << 2;
        QTest::addRow("half a core") << 0 << 8 << 0.5 << 1;
        QTest::addRow("a little more than one core") << 0 << 8 << 1.2 << 1;
        QTest::addRow("nearly none") << 0 << 8 << 0.01 << 1;
        QTest::addRow("more than the quota") << 8 << 64 << 2.0 << 2;
    }
    void threads() {
        QFETCH(int, wanted);
        QFETCH(int, cores);
        QFETCH(double, quota);
        QFETCH(int, threads);
        QCOMPARE(threads_of_use(wanted, cores, quota > 0 ? std::optional(quota) : std::nullopt), threads);
    }
};

RANKSCOPE_TEST(TestCpuQuota)

} // namespace rankscope::cpu_quota_test

#include "test_cpu_quota.moc"
