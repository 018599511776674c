// SPDX-License-Identifier: GPL-3.0-or-later
// Names from traces in XML: whatever they hold, a parser reads the file, and reads the names that were meant.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <QXmlStreamReader>

#include "core/report/junit.h"
#include "core/report/markup.h"

using namespace rankscope;

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    const std::size_t half = size / 2;
    std::array<GateResult, 2> gates;
    gates[0].run = text.substr(0, half);
    gates[0].gate.expression = text.substr(half);
    gates[0].reason = text;
    gates[1].run = text;
    gates[1].gate.expression = text;
    gates[1].passed = true;
    const std::string xml = junit_xml(gates);
    QXmlStreamReader junit(QByteArray(xml.data(), static_cast<qsizetype>(xml.size())));
    int cases = 0;
    while (!junit.atEnd())
        if (junit.readNext() == QXmlStreamReader::StartElement)
            cases += junit.name() == QLatin1String("testcase");
    require(!junit.hasError() && cases == 2, "the JUnit file is no XML, or lacks a case");

    const std::string inside = "<a b=\"" + escaped_markup(text) + "\">" + escaped_markup(text) + "</a>";
    QXmlStreamReader reader(QByteArray(inside.data(), static_cast<qsizetype>(inside.size())));
    require(reader.readNextStartElement(), "no element");
    const std::string meant = xml_characters(text);
    // Ends of lines and tabs are blanks to whoever reads an attribute.
    if (meant.find_first_of("\r\n\t") == std::string::npos)
        require(reader.attributes().value(QLatin1String("b")).toString().toStdString() == meant, "another attribute");
    const std::string read = reader.readElementText().toStdString();
    if (meant.find('\r') == std::string::npos)
        require(read == meant, "another text");
    require(!reader.hasError(), "no XML");
    return 0;
}
