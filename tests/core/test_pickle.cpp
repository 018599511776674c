// SPDX-License-Identifier: GPL-3.0-or-later
// The pickle reader: plain data of protocols 2 to 5, and nothing that imports, calls or grows without bounds.
#include <QtTest>

#include <string>
#include <string_view>

#include "core/input/flight_recorder/pickle.h"
#include "tests/support/flight_recorder_dumps.h"
#include "tests/support/test_program.h"

namespace rankscope::pickle_test {

using namespace std::literals;

/// The value as JSON, to be compared at a glance; dicts keep their order.
nlohmann::ordered_json json_of(const PlainData& data, const PlainValue& value) {
    using Kind = PlainValue::Kind;
    switch (value.kind) {
    case Kind::none: return nullptr;
    case Kind::boolean: return value.integer != 0;
    case Kind::integer: return value.integer;
    case Kind::real: return value.real;
    case Kind::text: return std::string(PlainData::text(value));
    case Kind::list: {
        auto list = nlohmann::ordered_json::array();
        for (const PlainValue& item : data.items(value))
            list.push_back(json_of(data, item));
        return list;
    }
    case Kind::dict: {
        auto dict = nlohmann::ordered_json::object();
        const auto items = data.items(value);
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            dict[std::string(PlainData::text(items[i]))] = json_of(data, items[i + 1]);
        return dict;
    }
    }
    return nullptr;
}

std::string read(const std::string& bytes, const PlainLimits& limits = {}) {
    const auto data = parse_pickle(bytes, limits);
    return data ? json_of(*data, data->root()).dump() : "error: " + english(data.error().message);
}

std::string problem(const std::string& bytes, const PlainLimits& limits = {}) {
    const auto data = parse_pickle(bytes, limits);
    return data ? "" : english(data.error().message);
}

class TestPickle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatPythonWritesIsRead_data() {
        QTest::addColumn<QByteArray>("bytes");
        // pickle.dumps({"a": [1, -2, 70000, 2**40, None, True, 1.5], "b": ("x", ["x"])}, protocol)
        const auto row = [](const char* name, std::string_view bytes) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
        };
        row("2", "\x80\x02}q\x00(X\x01\x00\x00\x00"
                 "aq\x01]q\x02(K\x01J\xfe\xff\xff\xffJp\x11\x01\x00\x8a\x06\x00\x00\x00\x00\x00\x01N\x88G?\xf8\x00\x00"
                 "\x00\x00\x00\x00"
                 "eX\x01\x00\x00\x00"
                 "bq\x03X\x01\x00\x00\x00xq\x04]q\x05h\x04"
                 "a\x86q\x06u."sv);
        row("4",
            "\x80\x04\x95\x39\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
            "a\x94]\x94(K\x01J\xfe\xff\xff\xffJp\x11\x01\x00\x8a\x06\x00\x00\x00\x00\x00\x01N\x88G?\xf8\x00\x00\x00"
            "\x00\x00\x00"
            "e\x8c\x01"
            "b\x94\x8c\x01x\x94]\x94h\x04"
            "a\x86\x94u."sv);
        row("5",
            "\x80\x05\x95\x39\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
            "a\x94]\x94(K\x01J\xfe\xff\xff\xffJp\x11\x01\x00\x8a\x06\x00\x00\x00\x00\x00\x01N\x88G?\xf8\x00\x00\x00"
            "\x00\x00\x00"
            "e\x8c\x01"
            "b\x94\x8c\x01x\x94]\x94h\x04"
            "a\x86\x94u."sv);
    }
    void whatPythonWritesIsRead() {
        QFETCH(QByteArray, bytes);
        QCOMPARE(read(bytes.toStdString()),
                 std::string(R"({"a":[1,-2,70000,1099511627776,null,true,1.5],"b":["x",["x"]]})"));
    }

    void whatTheTestsWriteIsReadAsItWas() {
        const auto value = nlohmann::ordered_json::parse(
            R"({"entries":[{"seq":5,"sizes":[[1,2],[]],"ok":false},{}],"neg":-1,"big":1700000000000000000})");
        QCOMPARE(read(pickled(value)), value.dump());
    }

    void aListThatGrowsOneByOneKeepsItsOrder() {
        // Two lists that grow in turn, so that neither can stay where it is.
        std::string bytes = "\x80\x02]q"s + '\0' + "]q\x01"s;
        for (int i = 0; i < 100; ++i)
            bytes += "0h"s + static_cast<char>(i % 2) + "K" + static_cast<char>(i) + "a";
        const std::string text = read(bytes + "h" + '\0' + '.');
        QCOMPARE(text.substr(0, 12), std::string("[0,2,4,6,8,1"));
        QVERIFY(text.ends_with(",96,98]"));
    }

    void whatWouldRunAProgramIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("word");
        const auto row = [](const char* word, const std::string& bytes) {
            QTest::newRow(word) << QByteArray::fromStdString("\x80\x02" + bytes) << QByteArray(word);
        };
        row("GLOBAL", "cos\nsystem\nX\x04\x00\x00\x00true\x85R."s);
        row("STACK_GLOBAL", "\x8c\x02os\x8c\x06system\x93."s);
        row("REDUCE", "NN\x85R."s);
        row("BUILD", "}}b."s);
        row("INST", "(ios\nsystem\n."s);
        row("OBJ", "(No."s);
        row("NEWOBJ", "N)\x81."s);
        row("NEWOBJ_EX", "N)}\x92."s);
        row("PERSID", "Pname\n."s);
        row("BINPERSID", "NQ."s);
        row("EXT1", "\x82\x01."s);
        row("EXT2", "\x83\x01\x00."s);
        row("EXT4", "\x84\x01\x00\x00\x00."s);
        row("NEXT_BUFFER", "\x97."s);
    }
    void whatWouldRunAProgramIsRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, word);
        const std::string why = problem(bytes.toStdString());
        QVERIFY2(why.starts_with(word.toStdString() + ","), why.c_str());
        QVERIFY2(why.find("nothing of it is executed") != std::string::npos, why.c_str());
    }

    void whatIsNotWholeIsAnErrorWithItsPlace() {
        const std::string whole = pickled({{"key", {1, 2, 3}}});
        for (std::size_t cut = 0; cut < whole.size(); ++cut)
            QVERIFY(!problem(whole.substr(0, cut)).empty());
        QCOMPARE(problem("\x80\x02X\xff\x00\x00\x00"
                         "abc"s),
                 std::string("it ends early (byte 2)"));
        QVERIFY(problem("\x80\x01N."s).find("protocol") != std::string::npos);
        QVERIFY(problem("\x80\x02I1\n."s).find("0x49 is not one of plain data") != std::string::npos);
        QVERIFY(!problem("\x80\x02h\x05."s).empty());    // never stored
        QVERIFY(!problem("\x80\x02}(K\x01u."s).empty()); // a key without a value
        QVERIFY(!problem("\x80\x02K\x01K\x02"
                         "a."s)
                     .empty()); // a number is no list
        QVERIFY(!problem("\x80\x02."s).empty());
        QVERIFY(!problem("\x80\x02(]e."s).empty()); // the list lies behind the mark
        QVERIFY(!problem("\x80\x02\x8a\x09\x01\x01\x01\x01\x01\x01\x01\x01\x01."s).empty());
    }

    void nothingGrowsWithoutBounds() {
        PlainLimits small;
        small.values = 1000;
        small.depth = 50;
        small.bytes = 100'000;
        std::string many = "\x80\x02(";
        for (int i = 0; i < 2000; ++i)
            many += 'N';
        QVERIFY(problem(many + "l.", small).find("too many values") != std::string::npos);
        QVERIFY(
            problem("\x80\x02" + std::string(60, '(') + 'N' + std::string(60, 'l') + '.', small).find("too deeply") !=
            std::string::npos);
        QVERIFY(problem("\x80\x02" + std::string(200'000, 'N') + '.', small).find("larger") != std::string::npos);
        // A memo number of four billion must not make room for as many.
        QVERIFY(problem("\x80\x02Nr\xff\xff\xff\xff."s, small).find("out of order") != std::string::npos);
        // A list that holds itself is plain data; nobody may walk it without counting.
        QVERIFY(problem("\x80\x02]q\x00h\x00"
                        "a."s,
                        small)
                    .empty());
    }

    void deepListsDoNotRecurse() {
        PlainLimits deep;
        deep.depth = std::size_t{1} << 22;
        std::string bytes = "\x80\x02";
        constexpr int kDepth = 1'000'000;
        bytes += std::string(kDepth, ']');
        bytes += std::string(kDepth - 1, 'a');
        QVERIFY(parse_pickle(bytes + '.', deep).has_value());
    }

    void jsonGivesTheSameValues() {
        const std::string text = R"({"entries":[{"a":1.5,"b":[null,true,"x\n"]}],"n":-7})";
        const auto data = parse_plain_json(text);
        QVERIFY(data.has_value());
        QCOMPARE(json_of(*data, data->root()).dump(), text);
        QVERIFY(!parse_plain_json("{\"a\":").has_value());
        QVERIFY(!parse_plain_json(std::string(100'000, '[')).has_value());
        PlainLimits small;
        small.values = 10;
        QVERIFY(!parse_plain_json("[1,2,3,4,5,6,7,8,9,10,11,12]", small).has_value());
    }
};

RANKSCOPE_TEST(TestPickle)

} // namespace rankscope::pickle_test

#include "test_pickle.moc"
