// SPDX-License-Identifier: GPL-3.0-or-later
// What nsys stats prints, in every variant, read back to the events it was printed from; and the tables written again.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "core/input/load/load_run.h"
#include "core/input/nsys/stats_text.h"
#include "core/metrics/catalogue.h"
#include "core/report/nsys_csv.h"
#include "tests/core/oracle.h"
#include "tests/support/nsys_export.h"
#include "tests/support/test_program.h"

namespace rankscope::nsys_stats_test {

namespace fs = std::filesystem;

namespace {

enum class Layout { csv, dashes, no_dashes };

struct Variant {
    Layout layout = Layout::csv;
    std::string unit = "ns";
    TimeNs scale = 1;
    int digits = 0;
    bool thousands = false;
    std::size_t longest_name = 10'000;
    bool preamble = false;
};

using Cells = std::vector<std::string>;

std::string with_thousands(std::string number) {
    const std::size_t point = std::min(number.find('.'), number.size());
    for (std::size_t at = point; at > 3; at -= 3)
        number.insert(at - 3, 1, ',');
    return number;
}

std::string time_cell(TimeNs ns, const Variant& v) {
    // Exact decimals: whole units and the rest of a unit.
    std::string cell = std::to_string(ns / v.scale);
    if (v.digits > 0) {
        std::string rest = std::to_string(v.scale + ns % v.scale).substr(1);
        cell += "." + rest.substr(0, static_cast<std::size_t>(v.digits));
    }
    return v.thousands ? with_thousands(cell) : cell;
}

std::string cut(const std::string& name, std::size_t longest) {
    return name.size() <= longest ? name : name.substr(0, longest - 1) + "…";
}

std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// As nsys lays columns out: two blanks between, numbers to the right, the last column as long as it is.
std::string column_text(const std::vector<Cells>& rows, bool dashes) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Cells& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i]));
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = " ";
        for (std::size_t i = 0; i < rows[r].size(); ++i) {
            const std::string pad(widths[i] - width_of(rows[r][i]), ' ');
            const std::string half = pad.substr(0, pad.size() / 2);
            line += (i > 0 ? "  " : "") + (r == 0                    ? half + rows[r][i] + pad.substr(half.size())
                                           : i + 1 == rows[r].size() ? rows[r][i]
                                                                     : pad + rows[r][i]);
        }
        text += line + "\n";
        if (r == 0 && dashes) {
            text += " ";
            for (std::size_t i = 0; i < widths.size(); ++i)
                text += (i > 0 ? "  " : "") + std::string(widths[i], '-');
            text += "\n";
        }
    }
    return text;
}

std::string csv_text(const std::vector<Cells>& rows) {
    std::string text;
    for (const Cells& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i > 0 ? "," : "") + (row[i].find(',') != std::string::npos ? "\"" + row[i] + "\"" : row[i]);
        text += "\n";
    }
    return text;
}

std::string nsys_word(EventKind kind, std::string_view name) {
    if (kind == EventKind::memset)
        return "[CUDA memset]";
    return kind != EventKind::memcpy                     ? std::string(name)
           : name.find("HtoD") != std::string_view::npos ? "[CUDA memcpy Host-to-Device]"
                                                         : "[CUDA memcpy Device-to-Host]";
}

/// cuda_gpu_trace of a run as nsys would print it.
std::string printed(const Run& run, const Variant& v) {
    std::vector<Cells> rows{{"Start (" + v.unit + ")", "Duration (" + v.unit + ")", "CorrId", "GrdX", "Reg/Trd",
                             "Bytes (MB)", "SrcMemKd", "Device", "Ctx", "GreenCtx", "Strm", "Name"}};
    for (const auto& rank : run.ranks)
        for (EventIndex i = 0; i < rank->events.gpu_count; ++i) {
            const EventKind kind = rank->events.kind[i];
            const LaunchShape& shape = rank->launch_shapes[rank->gpu.launch_shape[i]];
            const Lane& lane = rank->lane_of(i);
            rows.push_back({time_cell(rank->events.start[i] - rank->clock_base, v),
                            time_cell(rank->events.duration[i], v), std::to_string(rank->gpu.correlation[i]),
                            kind == EventKind::kernel ? std::to_string(shape.grid[0]) : "",
                            kind == EventKind::kernel ? std::to_string(shape.registers) : "",
                            kind == EventKind::kernel ? "" : "0.004", kind == EventKind::memcpy ? "Pinned" : "",
                            fmt::format("NVIDIA H100 80GB HBM3 ({})", lane.device), std::to_string(shape.context), "",
                            std::to_string(lane.stream), cut(nsys_word(kind, rank->event_name(i)), v.longest_name)});
        }
    std::string text = v.preamble ? "Generating SQLite file report.sqlite from report.nsys-rep\nProcessing "
                                    "[report.sqlite] with [cuda_gpu_trace.py]... \n\n"
                                    " ** CUDA GPU Trace (cuda_gpu_trace):\n\n"
                                  : "";
    return text + (v.layout == Layout::csv ? csv_text(rows) : column_text(rows, v.layout == Layout::dashes)) + "\n";
}

} // namespace

class TestNsysStats : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    fs::path path(const std::string& name) const { return fs::path(folder_->path().toStdString()) / name; }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    static std::shared_ptr<const Run> load(const fs::path& at) {
        auto run = load_run(at);
        if (!run)
            qFatal("%s", english(run.error().message).c_str());
        return *run;
    }
    static AnalysedRun analysed(const fs::path& at) {
        AnalysedRun run;
        run.analysis = std::make_shared<RunAnalysis>(load(at), Selection{});
        run.label = "run";
        return run;
    }
    std::shared_ptr<const Run> small_report() const {
        {
            NsysExport report(path("report.sqlite"));
            report.session_start(1'700'000'000'000'000'000);
            for (int i = 0; i < 40; ++i) {
                const std::int64_t start = 3'761'321'620 + i * 40'000'123LL;
                const int device = i % 2;
                const NsysExport::Gpu gpu{.process = 100 + device,
                                          .device = device,
                                          .context = 1,
                                          .stream = 7 + 41 * (i % 3 == 0),
                                          .correlation = 769'192 + i,
                                          .grid = 1 + i * i * 50};
                if (i % 5 == 4)
                    report.copy(start, start + 1000 + i, 1 + i % 2, 4096, gpu);
                else if (i % 7 == 6)
                    report.set(start, start + 900, 4096, gpu);
                else
                    report.kernel(
                        start, start + 4'528'869 + i,
                        i % 2 == 0
                            ? "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm *, unsigned long, ncclWork *)"
                            : "gemm  with two blanks, and a comma",
                        gpu);
            }
        }
        return load(path("report.sqlite"));
    }
    /// Events of both, lane by lane, within the printed precision.
    static void compare(const Run& original, const Run& read, const Variant& v) {
        QCOMPARE(read.source, TraceSource::nsys_stats);
        QCOMPARE(read.ranks.size(), original.ranks.size());
        TimeNs precision = v.scale;
        for (int i = 0; i < v.digits; ++i)
            precision /= 10;
        for (std::size_t r = 0; r < read.ranks.size(); ++r) {
            const RankTrace& a = *original.ranks[r];
            const RankTrace& b = *read.ranks[r];
            QCOMPARE(b.events.gpu_count, a.events.gpu_count);
            QCOMPARE(b.device(), a.device());
            for (EventIndex i = 0; i < a.events.gpu_count; ++i) {
                QVERIFY(std::abs(b.events.start[i] + a.clock_base - a.events.start[i]) <
                        std::max<TimeNs>(precision, 1));
                QVERIFY(std::abs(b.events.duration[i] - a.events.duration[i]) < std::max<TimeNs>(precision, 1));
                QCOMPARE(b.events.kind[i], a.events.kind[i]);
                QCOMPARE(b.lane_of(i).stream, a.lane_of(i).stream);
                QCOMPARE(b.gpu.correlation[i], a.gpu.correlation[i]);
                if (a.events.kind[i] == EventKind::kernel) {
                    QCOMPARE(std::string(b.event_name(i)), cut(std::string(a.event_name(i)), v.longest_name));
                    QCOMPARE(b.launch_shapes[b.gpu.launch_shape[i]].grid[0],
                             a.launch_shapes[a.gpu.launch_shape[i]].grid[0]);
                }
            }
        }
    }
    static void variants() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<qint64>("scale");
        QTest::addColumn<int>("digits");
        QTest::addColumn<bool>("thousands");
        QTest::addColumn<int>("longest");
        const auto row = [](const char* name, Layout layout, const char* unit, qint64 scale, int digits, bool thousands,
                            int longest = 10'000) {
            QTest::newRow(name) << static_cast<int>(layout) << QString::fromLatin1(unit) << scale << digits << thousands
                                << longest;
        };
        row("csv ns", Layout::csv, "ns", 1, 0, false);
        row("csv us", Layout::csv, "us", 1'000, 3, false);
        row("csv s, six digits", Layout::csv, "s", 1'000'000'000, 6, false);
        row("columns ns with thousands", Layout::dashes, "ns", 1, 0, true);
        row("columns us", Layout::dashes, "us", 1'000, 3, false);
        row("columns ms with thousands, cut", Layout::dashes, "ms", 1'000'000, 6, true, 30);
        row("no dashes us", Layout::no_dashes, "us", 1'000, 3, false);
        row("no dashes ns with thousands, cut", Layout::no_dashes, "ns", 1, 0, true, 24);
        row("no dashes s", Layout::no_dashes, "s", 1'000'000'000, 9, false);
    }
    static Variant variant() {
        QFETCH(int, layout);
        QFETCH(QString, unit);
        QFETCH(qint64, scale);
        QFETCH(int, digits);
        QFETCH(bool, thousands);
        QFETCH(int, longest);
        return {static_cast<Layout>(layout),
                unit.toStdString(),
                scale,
                digits,
                thousands,
                static_cast<std::size_t>(longest),
                layout != static_cast<int>(Layout::no_dashes)};
    }

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aNameThatBeginsWithNothingAndACommaIsTheLastColumn() {
        const auto tables =
            parse_stats_text("Start (ns),Duration (ns),CorrId,GrdX,Device,Ctx,Strm,Name\n10,5,1,8,GPU (0),1,7, ,a,b\n");
        QCOMPARE(tables.size(), std::size_t{1});
        QCOMPARE(tables[0].rows.size(), std::size_t{1});
        QCOMPARE(tables[0].rows[0].back(), std::string_view(",a,b"));
    }

    /// Each row took columns times its length: hours for a file of 10 MB.
    void absurdlyManyColumnsAreNoTable() {
        std::string header = "  Start (ns)  Duration (ns)  Strm";
        std::string dashes = "  ----------  -------------  ----";
        std::string row = "  1é          5              7   ";
        for (int i = 0; i < 100'000; ++i) {
            header += "  x";
            dashes += "  -";
            row += "  é";
        }
        std::string text = header + '\n' + dashes + '\n';
        std::string without_dashes = header + '\n';
        for (int i = 0; i < 20; ++i) {
            text += row + '\n';
            without_dashes += row + '\n';
        }
        for (const std::string& all : {text, without_dashes}) {
            const auto tables = parse_stats_text(all);
            QCOMPARE(tables.size(), std::size_t{1});
            QCOMPARE(tables[0].unreadable, 20);
            QVERIFY(tables[0].rows.empty());
        }
    }

    void everyVariantReadsBackToTheSameEvents_data() { variants(); }
    void everyVariantReadsBackToTheSameEvents() {
        const Variant v = variant();
        const auto original = small_report();
        compare(*original, *load(write("cuda_gpu_trace.txt", printed(*original, v))), v);
    }

    void realReportsReadBackInEveryVariant_data() { variants(); }
    void realReportsReadBackInEveryVariant() {
        const fs::path real = fs::path(RANKSCOPE_SHARED_DIR) / "traces/nsys/two_h100_before.sqlite";
        if (!fs::exists(real))
            QSKIP("skipped: no shared traces");
        const Variant v = variant();
        const auto original = load(real);
        // Memory sizes are printed as one value and copies have other directions too: only times, names and places are
        // held against it.
        const auto read = load(write("cuda_gpu_trace.txt", printed(*original, v)));
        QCOMPARE(read->ranks.size(), std::size_t{2});
        for (std::size_t r = 0; r < 2; ++r)
            QCOMPARE(read->ranks[r]->events.gpu_count, original->ranks[r]->events.gpu_count);
        compare(*original, *read, v);
    }

    // The example of the format's description: no dashes row, the name cut.
    void theExampleOpens() {
        const auto run =
            load(write("grepped.txt",
                       "Start (us)    Duration (us)  CorrId  GrdX  GrdY  GrdZ  BlkX  BlkY  BlkZ  Reg/Trd  StcSMem (MB) "
                       " DymSMem (MB)  Bytes (MB)  Throughput (MB/s)  SrcMemKd  DstMemKd            Device             "
                       "Ctx  GreenCtx  Strm  Name\n"
                       "3761321.620       4528.869  769192     8     1     1   640     1     1       96         0.005  "
                       "       0.082                                                     NVIDIA A100-SXM4-80GB (1)    "
                       "1              48  ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm *, …\n"));
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(rank.events.gpu_count, 1u);
        QCOMPARE(rank.events.start[0], 3'761'321'620);
        QCOMPARE(rank.events.duration[0], 4'528'869);
        QCOMPARE(rank.device(), 1);
        QCOMPARE(rank.lanes.front().stream, 48);
        const LaunchShape& shape = rank.launch_shapes[rank.gpu.launch_shape[0]];
        QCOMPARE(shape.grid[0], 8u);
        QCOMPARE(shape.block[0], 640u);
        QCOMPARE(shape.registers, 96u);
        QCOMPARE(shape.static_shared, 5'000u);
        QCOMPARE(shape.dynamic_shared, 82'000u);
        QCOMPARE(std::string(rank.event_name(0)),
                 std::string("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm *, …"));
        QCOMPARE(rank.devices.front().name, std::string("NVIDIA A100-SXM4-80GB"));
    }

    // 3 instances of 100, 200 and 600 ns: total 900, mean 300, sample deviation sqrt((200² + 100² + 300²) / 2) =
    // 264.575.
    void sumsOpenAsAKernelTable() {
        const auto run = load(write(
            "cuda_gpu_sum.csv",
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation\n"
            "90.0,900,3,300.0,200.0,100,600,264.6,CUDA_KERNEL,gemm\n10.0,100,1,100.0,100.0,100,100,0.0,MEMORY_OPER,["
            "CUDA memcpy Host-to-Device]\n"));
        const RunAnalysis analysis(run, {});
        const auto& table = analysis.kernel_tables().front();
        QCOMPARE(table.size(), std::size_t{2});
        QCOMPARE(std::string(run->names->view(table[0].name)), std::string("gemm"));
        QCOMPARE(table[0].count, 3);
        QCOMPARE(table[0].total, 900);
        QCOMPARE(table[0].min, 100);
        QCOMPARE(table[0].max, 600);
        QCOMPARE(table[0].standard_deviation, 264.6);
        QCOMPARE(table[1].kernel_class, KernelClass::memory_copy);
        const MetricReport report = compute_metrics(analysis);
        QVERIFY(report.find("kernel_breakdown")->available);
        for (const char* timed : {"gpu_timeline", "iter_time", "straggler_lag", "idle_causes", "launch_stats"}) {
            QVERIFY2(!report.find(timed)->available, timed);
            QVERIFY2(!report.find(timed)->reason.empty(), timed);
        }
        AnalysedRun whole;
        whole.analysis = std::make_shared<RunAnalysis>(run, Selection{});
        whole.label = "run";
        const AnalysedRun runs[]{whole};
        const auto rows = oracle::read_csv(write("again.csv", nsys_sum_csv(runs)).string());
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].at("Time (%)"), std::string("90.0"));
        QCOMPARE(rows[0].at("Med (ns)"), std::string("200.0"));
        QCOMPARE(rows[1].at("Operation"), std::string("[CUDA memcpy Host-to-Device]"));
    }

    // Durations 100, 200 and 600 ns of one kernel and a copy of 4096 bytes in 1 µs = 4096 MB/s.
    void theTablesWrittenAreThoseOfNsys() {
        {
            NsysExport report(path("report.sqlite"));
            report.session_start(1'700'000'000'000'000'000);
            report.gpu(0, "NVIDIA H100", 132);
            for (const int duration : {100, 200, 600})
                report.kernel(10'000 + duration, 10'000 + 2 * duration, "gemm<int, 2>", {.correlation = duration});
            report.copy(20'000, 21'000, 1, 4096, {.correlation = 7});
        }
        const AnalysedRun runs[]{analysed(path("report.sqlite"))};
        const auto trace = oracle::read_csv(write("nsys_trace.csv", nsys_trace_csv(runs)).string());
        QCOMPARE(trace.size(), std::size_t{4});
        const std::map<std::string, std::string> kernel{{"Start (ns)", "10100"},
                                                        {"Duration (ns)", "100"},
                                                        {"CorrId", "100"},
                                                        {"GrdX", "1"},
                                                        {"BlkX", "128"},
                                                        {"Reg/Trd", "32"},
                                                        {"StcSMem (MB)", "0.001"},
                                                        {"DymSMem (MB)", "0.002"},
                                                        {"Bytes (MB)", ""},
                                                        {"Device", "NVIDIA H100 (0)"},
                                                        {"Ctx", "1"},
                                                        {"GreenCtx", ""},
                                                        {"Strm", "7"},
                                                        {"Name", "gemm<int, 2>"}};
        for (const auto& [column, cell] : kernel)
            QCOMPARE(trace[0].at(column), cell);
        const std::map<std::string, std::string> copy{{"Bytes (MB)", "0.004"},
                                                      {"Throughput (MB/s)", "4096.000"},
                                                      {"SrcMemKd", "Pinned"},
                                                      {"DstMemKd", "Device"},
                                                      {"GrdX", ""},
                                                      {"Reg/Trd", ""},
                                                      {"Name", "[CUDA memcpy Host-to-Device]"}};
        for (const auto& [column, cell] : copy)
            QCOMPARE(trace[3].at(column), cell);
        const auto sums = oracle::read_csv(write("nsys_sum.csv", nsys_sum_csv(runs)).string());
        QCOMPARE(sums.size(), std::size_t{2});
        const std::map<std::string, std::string> longest{
            {"Time (%)", "52.6"}, {"Total Time (ns)", "1000"}, {"Instances", "1"}, {"Category", "MEMORY_OPER"}};
        const std::map<std::string, std::string> gemm{
            {"Time (%)", "47.4"},        {"Total Time (ns)", "900"},   {"Instances", "3"},  {"Avg (ns)", "300.0"},
            {"Med (ns)", "200.0"},       {"Min (ns)", "100"},          {"Max (ns)", "600"}, {"StdDev (ns)", "264.6"},
            {"Category", "CUDA_KERNEL"}, {"Operation", "gemm<int, 2>"}};
        for (const auto& [column, cell] : longest)
            QCOMPARE(sums[0].at(column), cell);
        for (const auto& [column, cell] : gemm)
            QCOMPARE(sums[1].at(column), cell);
        // --kernel-filter, as grep does it; and what was written reads back.
        const auto only_gemm = oracle::read_csv(
            write("filtered.csv", nsys_trace_csv(runs, [](std::string_view name) { return name.starts_with("gemm"); }))
                .string());
        QCOMPARE(only_gemm.size(), std::size_t{3});
        QCOMPARE(load(path("nsys_trace.csv"))->event_count(), std::uint64_t{4});
    }

    void numbersReadExactly_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("scale");
        QTest::addColumn<qint64>("ns"); // -1: refused
        const auto row = [](const char* text, qint64 scale, qint64 ns) {
            QTest::newRow(text) << QString::fromUtf8(text) << scale << ns;
        };
        row("3761321.620", 1'000, 3'761'321'620);
        row("3,761,321.620", 1'000, 3'761'321'620);
        row("0.0000000015", 1'000'000'000, 2);
        row("1783353.999999999", 1'000'000'000, 1'783'353'999'999'999);
        row("12…", 1, -1);
        row("", 1, -1);
        row("1e5", 1, -1);
        row("99999999999999999999", 1, -1);
    }
    void numbersReadExactly() {
        QFETCH(QString, text);
        QFETCH(qint64, scale);
        QFETCH(qint64, ns);
        QCOMPARE(scaled_integer(text.toStdString(), scale).value_or(-1), ns);
    }

    void cutNumbersTellWhatIsThere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("value"); // -1: refused
        QTest::addColumn<qint64>("step");
        const auto row = [](const char* text, qint64 value, qint64 step) {
            QTest::newRow(text) << QString::fromUtf8(text) << value << step;
        };
        row("4280533.207", 4'280'533'207, 0);
        row("4280533.2…", 4'280'533'200, 100);
        row("4,280,533.2…", 4'280'533'200, 100);
        row("13783638.…", 13'783'638'000, 1'000);
        row("4280533.2...", 4'280'533'200, 100);
        row("4280533....", 4'280'533'000, 1'000);
        row("4280533.20712…", 4'280'533'207, 1); // finer than 1 ns is not kept
        row("42805332…", -1, 0);                 // nobody knows how many digits are gone
        row("4280533...", -1, 0);
        row("…", -1, 0);
        row(".…", -1, 0);
        row("-42.5…", -1, 0);
        row("4x.5…", -1, 0);
    }
    void cutNumbersTellWhatIsThere() {
        QFETCH(QString, text);
        const auto number = cell_number(text.toStdString(), 1'000);
        QTEST(number ? static_cast<qint64>(number->value) : qint64{-1}, "value");
        QTEST(number ? static_cast<qint64>(number->step) : qint64{0}, "step");
    }

    // As published texts are: nsys lays the columns out by its first rows, so that from 1 s on starts of 10 characters
    // end in "…" after one digit, and from 10 s on after none. CorrId is cut as well.
    void rowsWithCutTimesAreAllRead() {
        std::string text = "Generating SQLite file ./report_3.sqlite from ./report_3.nsys-rep\n"
                           "Processing [./report_3.sqlite] with [cuda_gpu_trace.py](start=510000000:end=13880000000) "
                           "to process [@grep "
                           "-E (Start*|ncclKernel_SendRecv*)]...\n"
                           "Start (us)  Duration (us)  CorrId  GrdX  GrdY  GrdZ  BlkX  BlkY  BlkZ  Reg/Trd  StcSMem "
                           "(MB)  DymSMem (MB) "
                           " Bytes (MB)  Throughput (MB/s)  SrcMemKd  DstMemKd           Device            Ctx  "
                           "GreenCtx  Strm         "
                           "                                         Name\n";
        const auto row = [&](const std::string& start, int duration_us, const std::string& correlation, int device) {
            text += fmt::format(" {:>10}  {:>9}.155  {:>6}     8     1     1   640     1     1       96         0.005  "
                                "       0.082                                                     NVIDIA "
                                "A100-SXM4-80GB ({})    1              48  "
                                "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm *, unsigned long, ncclWork *)  "
                                "              \n",
                                start, duration_us, correlation, device);
        };
        const auto padding = [](const std::string& cell) { // "…" counts as one character, not as three bytes
            return std::string(10 - width_of(cell), ' ') + cell;
        };
        for (int i = 0; i < 192; ++i)
            row(fmt::format("{}.049", 500'000 + 1'000 * i), 500, std::to_string(568'988 + i), i % 4);
        for (int i = 0; i < 4'000; ++i)
            row(padding(fmt::format("{}.{}…", 1'030'197 + 2'000 * i, i % 10)), 600, std::to_string(646'397 + i), i % 4);
        for (int i = 0; i < 1'088; ++i)
            row(padding(fmt::format("{}.…", 10'000'638 + 2'000 * i)), 700, "28266…", i % 4);
        const QTemporaryDir folder; // the name that DataCruncher publishes it by
        std::ofstream(folder.path().toStdString() + "/multi_8x4_350M_trace.txt", std::ios::binary) << text;
        const auto run = load(folder.path().toStdString());
        QCOMPARE(run->event_count(), std::uint64_t{5'280});
        QCOMPARE(run->ranks.size(), std::size_t{4});
        const RankTrace& first = *run->ranks.front();
        QCOMPARE(first.events.start[0], 500'000'049);
        QCOMPARE(first.events.start[48], 1'030'197'000); // row 0 of the second kind: "1030197.0…"
        QCOMPARE(first.events.start[49], 1'038'197'400); // row 4: "1038197.4…"
        QCOMPARE(first.events.duration[49], 600'155);    // not cut
        QCOMPARE(first.events.start[48 + 1'000], 10'000'638'000);
        QCOMPARE(first.gpu.correlation[48], 646'397);
        QCOMPARE(first.gpu.correlation[48 + 1'000], kUnknown);
        std::map<std::string, Notice> told;
        for (const Notice& notice : run->notices)
            told[std::string(notice.code.word())] = notice;
        QVERIFY(!told.contains("malformed_events"));
        QCOMPARE(told["cut_times"].count, 5'088);
        QVERIFY2(english(told["cut_times"].message).find("known to 1 us") != std::string::npos,
                 english(told["cut_times"].message).c_str());
    }

    /// What `nsys stats --report cuda_gpu_trace,cuda_gpu_sum` writes: the sums had become rank 0.
    void sumsBesideTheirTimesAreNoRank() {
        const std::string row = "Start (ns),Duration (ns),Device,Ctx,Strm,Name\n1000,500,GPU (";
        const std::string sums =
            "Time (%),Total Time (ns),Instances,Category,Operation\n100.0,500,1,CUDA_KERNEL,gemm\n";
        const auto ranks_of = [&](std::initializer_list<std::pair<const char*, std::string>> files) {
            const QTemporaryDir folder;
            for (const auto& [name, text] : files)
                std::ofstream(folder.filePath(QString::fromLatin1(name)).toStdString()) << text;
            const auto run = load_run(folder.path().toStdString());
            return run ? (*run)->ranks : std::vector<std::shared_ptr<const RankTrace>>();
        };
        const auto both = ranks_of({{"rep_cuda_gpu_sum.csv", sums},
                                    {"rep_cuda_gpu_kern_sum.csv", sums},
                                    {"rep_cuda_gpu_trace.csv", row + "0),1,7,gemm\n"}});
        QCOMPARE(both.size(), std::size_t{1});
        QCOMPARE(both.front()->events.gpu_count, 1u);
        QCOMPARE(both.front()->rank, 0);
        const auto alone = ranks_of({{"rep_cuda_gpu_kern_sum.csv", sums}, {"rep_cuda_gpu_sum.csv", sums}});
        QCOMPARE(alone.size(), std::size_t{1});
        QCOMPARE(alone.front()->file.filename().string(), std::string("rep_cuda_gpu_sum.csv"));
        const auto others =
            ranks_of({{"gpu0_cuda_gpu_sum.csv", sums}, {"gpu1_cuda_gpu_trace.csv", row + "1),1,7,gemm\n"}});
        QCOMPARE(others.size(), std::size_t{2}); // of two reports
    }
    void sumsWithCutTimesAreRead() {
        const auto run = load(write(
            "gpu_sum.csv", "Time (%),Total Time (us),Instances,Avg (us),Min (us),Max (us),Category,Operation\n"
                           "90.0,4280533.2…,3,1426844.4…,1.000,9.5,CUDA_KERNEL,gemm\n10.0,1.000,1,1.000,1.000,1.000,"
                           "CUDA_KERNEL,add\n"));
        const RankTrace& rank = *run->ranks.front();
        QCOMPARE(rank.kernel_sums.size(), std::size_t{2});
        QCOMPARE(rank.kernel_sums[0].total, 4'280'533'200);
        QCOMPARE(rank.kernel_sums[0].mean, 1'426'844'400.0);
        QVERIFY(english(RunAnalysis(run, {}).findings().headline).starts_with("Sums of GPU work are recorded, 4.28 s"));
        const auto told = std::ranges::find(run->notices, std::string_view("cut_times"),
                                            [](const Notice& notice) { return notice.code.word(); });
        QVERIFY(told != run->notices.end());
        QCOMPARE(told->count, 1);
        QVERIFY(english(told->message).find("known to 0.1 us") != std::string::npos);
    }

    void rowsWithTimesThatNoClockShowsAreCounted() {
        const auto run = load(write("cuda_gpu_trace.csv",
                                    "Start (ns),Duration (ns),CorrId,Device,Ctx,GreenCtx,Strm,Name\n1,2,3,H100 "
                                    "(0),1,,7,a\n4,2,3,H100 (0),1,,7,b\n"
                                    "2305843009213693950,2,3,H100 (0),1,,7,c\n5,2305843009213693950,3,H100 (0),1,,7,d\n"
                                    "900000000000000000,2,3,H100 (0),1,,7,e\n"));
        QCOMPARE(run->event_count(), std::uint64_t{2});
        std::map<std::string, std::int64_t> counts;
        for (const Notice& notice : run->notices)
            counts[std::string(notice.code.word())] += notice.count;
        QCOMPARE(counts["malformed_events"], 2);
        QCOMPARE(counts["stray_events"], 1);
    }

    void rowsThatCannotBeReadAreCounted() {
        const auto run = load(write("cuda_gpu_trace.csv",
                                    "Start (ns),Duration (ns),CorrId,Device,Ctx,GreenCtx,Strm,Name\n1,2,3,H100 "
                                    "(0),1,,7,a\nx,2,3,H100 (0),1,,7,b\n"
                                    "5,…,3,H100 (0),1,,7,c\n7,8\n9,1,4,H100 80…,1,,7,d\n"));
        QCOMPARE(run->event_count(), std::uint64_t{2});
        std::map<std::string, std::int64_t> counts;
        for (const Notice& notice : run->notices)
            counts[std::string(notice.code.word())] += notice.count;
        QCOMPARE(counts["malformed_events"], 2); // "x" begins no row at all
        QCOMPARE(counts["cut_device"], 1);
        const auto broken =
            load_run(write("cuda_gpu_trace.csv", "Start (fortnights),Duration (ns),Strm,Name\n1,2,3,a\n"));
        QVERIFY(!broken);
        QVERIFY(english(broken.error().message).find("no known unit") != std::string::npos);
        const auto empty = load_run(write("cuda_gpu_trace.csv", "Start (ns),Duration (ns),Strm,Name\n"));
        QVERIFY(!empty);
    }
};

RANKSCOPE_TEST(TestNsysStats)

} // namespace rankscope::nsys_stats_test

#include "test_nsys_stats.moc"
