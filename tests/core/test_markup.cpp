// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of names in XML and in tables, tried with all of Unicode.
#include <QXmlStreamReader>
#include <QtTest>

#include "core/base/text.h"
#include "core/report/csv.h"
#include "core/report/junit.h"
#include "core/report/markup.h"
#include "tests/support/test_program.h"

namespace rankscope::markup_test {

namespace {

/// Also of surrogates and what is beyond Unicode, which are no characters.
std::string utf8(std::uint32_t code) {
    std::string text;
    if (code < 0x80)
        text += static_cast<char>(code);
    else if (code < 0x800)
        text += static_cast<char>(0xC0 | code >> 6);
    else if (code < 0x10000)
        text += static_cast<char>(0xE0 | code >> 12);
    else
        text += static_cast<char>(0xF0 | code >> 18);
    for (int shift = code < 0x80 ? 0 : code < 0x800 ? 6 : code < 0x10000 ? 12 : 18; (shift -= 6) >= 0;)
        text += static_cast<char>(0x80 | (code >> shift & 0x3F));
    return text;
}

constexpr std::uint32_t kBeyond = 0x110100;

/// The text of an element and of an attribute that hold the text; nothing where it is no XML.
std::optional<std::pair<QString, QString>> parsed(const std::string& text) {
    const std::string escaped = escaped_markup(text);
    QXmlStreamReader reader(
        QByteArray::fromStdString("<a b=\"" + escaped + "\" c='" + escaped + "'>" + escaped + "</a>"));
    reader.readNextStartElement();
    const QString attribute = reader.attributes().value(QStringLiteral("b")).toString();
    const QString content = reader.readElementText();
    return reader.hasError() ? std::nullopt : std::optional(std::pair(content, attribute));
}

bool xml_has(std::uint32_t code) {
    return (code >= 0x20 && code <= 0xD7FF) || (code >= 0xE000 && code <= 0xFFFD) ||
           (code >= 0x10000 && code <= 0x10FFFF);
}

/// Of characters that XML has, those which steer a terminal or turn the order of writing.
bool is_replaced(std::uint32_t code) {
    return !xml_has(code) || (code >= 0x7F && code <= 0x9F) || code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

} // namespace

class TestMarkup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// In blocks of 256, one by one where a block is not as expected.
    void everyCharacterIsItselfOrReplaced() {
        for (std::uint32_t first = 0; first < kBeyond; first += 256) {
            std::string text;
            QString wanted;
            for (std::uint32_t code = first; code < first + 256; ++code) {
                text += "x" + utf8(code);
                wanted += u'x';
                // A sequence that is no character counts byte by byte.
                if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
                    wanted += QString(static_cast<qsizetype>(utf8(code).size()), QChar(0xFFFD));
                else
                    wanted += QChar::fromUcs4(is_replaced(code) ? char32_t{0xFFFD} : char32_t{code});
            }
            const auto got = parsed(text);
            QVERIFY2(got, qPrintable(QString::number(first, 16)));
            QCOMPARE(got->first, wanted);
            QCOMPARE(got->second, wanted);
        }
    }

    void everyPairOfBytesIsHarmless() {
        for (int first = 0; first < 256; ++first) {
            std::string text;
            for (int second = 0; second < 256; ++second)
                text += {static_cast<char>(first), static_cast<char>(second)};
            QVERIFY2(parsed(text), qPrintable(QString::number(first)));
        }
    }

    void junitIsXmlWhateverRunsAreCalled() {
        GateResult gate;
        gate.gate = parse_gate("iter_time<=5").value();
        gate.gate.expression += "\xEF\xBF\xBE]]>&\"";
        gate.run = "\xEF\xBF\xBF<\x01\x1B>\xFF'";
        gate.reason = "\xED\xA0\x80 & \x7F";
        QXmlStreamReader reader(QByteArray::fromStdString(junit_xml(std::vector{gate, gate})));
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void noCellIsAFormula_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("cell");
        for (const char* sign : {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"})
            for (const char* before : {"", " ", "   ", "\u00A0", "\u3000", "\uFEFF", " \u200B \u2009"}) {
                const QByteArray text = QByteArray(before) + sign + "1+1";
                QTest::addRow("%s", qPrintable(QString::fromUtf8(text.toPercentEncoding()))) << text << "'" + text;
            }
        QTest::newRow("tab") << QByteArray("\tx") << QByteArray("'\tx");
        QTest::newRow("line end") << QByteArray("\nx") << QByteArray("'\nx");
        QTest::newRow("blanks") << QByteArray("  x = 1") << QByteArray("  x = 1");
        QTest::newRow("controls") << QByteArray("a\x01\x1B[31m\u0085\u202E")
                                  << QByteArray("a\uFFFD\uFFFD[31m\uFFFD\uFFFD");
        QTest::newRow("lines") << QByteArray("a\n\tb") << QByteArray("a\n\tb");
    }
    void noCellIsAFormula() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, cell);
        QCOMPARE(QByteArray::fromStdString(spreadsheet_text(text.toStdString())), cell);
    }

    void cellsAreCutWhereSpreadsheetsWould() {
        QCOMPARE(spreadsheet_text(std::string(32'767, 'x')), std::string(32'767, 'x'));
        QCOMPARE(spreadsheet_text(std::string(32'768, 'x')), std::string(32'766, 'x') + "…");
        std::string wide; // two units of UTF-16 each
        for (int i = 0; i < 20'000; ++i)
            wide += "\xF0\x9F\x98\x80";
        const QString cut = QString::fromStdString(spreadsheet_text(wide));
        QVERIFY(cut.size() <= 32'767 && cut.size() > 32'760 && cut.endsWith(u'…') && !cut.contains(QChar(0xFFFD)));
    }
};

RANKSCOPE_TEST(TestMarkup)

} // namespace rankscope::markup_test

#include "test_markup.moc"
