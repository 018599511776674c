// SPDX-License-Identifier: GPL-3.0-or-later
// The search that finds all events of one name.
#include "widgets/screens/instance_query.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

QString exactPattern(std::string_view name) {
    QString pattern;
    for (const QChar c : QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())))
        if (c.unicode() < 0x20 || c.unicode() == 0x7F) // a line of text cannot hold it
            pattern += u"\\x%1"_s.arg(int(c.unicode()), 2, 16, QChar(u'0'));
        else if (QStringView(u"\\.+*?()|[]{}^$/").contains(c))
            pattern += QString(u'\\') + c;
        else
            pattern += c;
    return u'^' + pattern + u'$';
}

QString instanceQuery(std::string_view name, std::optional<int> rank) {
    const QString query = u'/' + exactPattern(name) + u'/';
    return rank ? QString(query + u" rank:"_s + QString::number(*rank)) : query;
}

} // namespace rankscope
