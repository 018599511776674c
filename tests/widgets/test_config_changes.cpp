// SPDX-License-Identifier: GPL-3.0-or-later
// The table of configuration on the Compare screen: its order, and the GPU as one row.
#include <QAbstractItemModelTester>
#include <QTest>

#include "tests/support/test_program.h"
#include "widgets/compare/config_change_model.h"
#include "widgets/table_text.h"

namespace rankscope::config_changes_test {
using namespace Qt::Literals::StringLiterals;

namespace {

RunConfig gpu(const std::string& name, const std::string& memory) {
    return {{"trace.device.computeMajor", "7"},
            {"trace.device.name", name},
            {"trace.device.numSms", "80"},
            {"trace.device.totalGlobalMem", memory}};
}

RunConfig with(RunConfig config, const RunConfig& more) {
    config.insert(more.begin(), more.end());
    return config;
}

QStringList keys(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QStringList all;
    for (int row = 0; row < model.rowCount(parent); ++row)
        all << model.index(row, ConfigChangeModel::keyColumn, parent).data().toString();
    return all;
}

} // namespace

class TestConfigChanges : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatChangedStartsWithHardwareSizeAndProgram() {
        const RunConfig baseline =
            with(gpu("Tesla V100-SXM2-16GB", "16945512448"), {{"a.batch_size", "16"},
                                                              {"b.framework.version", "2.3"},
                                                              {"run.folder", "one"},
                                                              {"trace.distributedInfo.world_size", "8"},
                                                              {"trace.schemaVersion", "1"},
                                                              {"workload.hardware.xpu_spec.model", "v100"},
                                                              {"z.only", "1"}});
        const RunConfig test =
            with(gpu("Tesla V100-SXM2-32GB", "34079899648"), {{"a.batch_size", "32"},
                                                              {"b.framework.version", "2.4"},
                                                              {"run.folder", "two"},
                                                              {"trace.distributedInfo.world_size", "16"},
                                                              {"trace.schemaVersion", "1"},
                                                              {"workload.hardware.xpu_spec.model", "h100"}});
        ConfigChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setConfigs(compare_configs(baseline, test));
        QCOMPARE(keys(model), (QStringList{u"trace.device"_s, u"workload.hardware.xpu_spec.model"_s,
                                           u"trace.distributedInfo.world_size"_s, u"b.framework.version"_s,
                                           u"a.batch_size"_s, u"z.only"_s, u"trace.schemaVersion"_s}));
        QCOMPARE(model.differences(), 6); // the GPU once; the folder is the name of the run
    }

    void theGpuIsOneRowThatOpens() {
        ConfigChangeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setConfigs(
            compare_configs(gpu("Tesla V100-SXM2-16GB", "16945512448"), gpu("Tesla V100-SXM2-32GB", "34079899648")));
        QCOMPARE(model.rowCount(), 1);
        const auto cell = [&](ConfigChangeModel::Column column) { return model.index(0, column).data().toString(); };
        QCOMPARE(cell(ConfigChangeModel::baselineColumn), u"Tesla V100-SXM2-16GB, 16.9 GB, 80 SMs"_s);
        QCOMPARE(cell(ConfigChangeModel::testColumn), u"Tesla V100-SXM2-32GB, 34.1 GB, 80 SMs"_s);
        QVERIFY(cell(ConfigChangeModel::statusColumn).endsWith(u"changed: 2 of 4"_s));
        const QModelIndex row = model.index(0, 0);
        QCOMPARE(keys(model, row), (QStringList{u"name"_s, u"totalGlobalMem"_s, u"numSms"_s, u"computeMajor"_s}));
        // What is copied has the keys as the run has them.
        QVERIFY2(rowsAsTsv(model, {model.index(1, 0, row)})
                     .endsWith(u"\ntrace.device.totalGlobalMem\t16945512448\t34079899648\t\t\u25c6 changed\n"_s),
                 qPrintable(rowsAsTsv(model, {model.index(1, 0, row)})));
    }

    void anEqualGpuIsEqualAndOneOfOneRunIsSaidToBe() {
        ConfigChangeModel model;
        model.setConfigs(
            compare_configs(gpu("Tesla V100-SXM2-16GB", "16945512448"), gpu("Tesla V100-SXM2-16GB", "16945512448")));
        QVERIFY(model.index(0, 0).data(ConfigChangeModel::equalRole).toBool());
        QCOMPARE(model.differences(), 0);
        model.setConfigs(compare_configs(gpu("Tesla V100-SXM2-16GB", "16945512448"), {}));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, ConfigChangeModel::statusColumn).data().toString(), u"only in the baseline"_s);
        QCOMPARE(model.index(0, ConfigChangeModel::testColumn).data().toString(), u"\u2013"_s);
    }

    void aGpuThatDiffersInALesserKeyIsChanged() {
        RunConfig other = gpu("Tesla V100-SXM2-16GB", "16945512448");
        other["trace.device.computeMajor"] = "8";
        ConfigChangeModel model;
        model.setConfigs(compare_configs(gpu("Tesla V100-SXM2-16GB", "16945512448"), other));
        QCOMPARE(model.differences(), 1);
        QVERIFY(model.index(0, ConfigChangeModel::statusColumn).data().toString().endsWith(u"changed: 1 of 4"_s));
        QCOMPARE(keys(model, model.index(0, 0)).front(), u"computeMajor"_s);
    }
};

RANKSCOPE_GUI_TEST(TestConfigChanges)

} // namespace rankscope::config_changes_test

#include "test_config_changes.moc"
