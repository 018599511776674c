// SPDX-License-Identifier: GPL-3.0-or-later
// What a window shows that can be kept in a file.
#include "app/window/export.h"

#include <optional>

#include <QCoreApplication>
#include <QFileInfo>
#include <QTableView>
#include <QTreeView>

#include "core/base/whole_file.h"
#include "widgets/custom_plot.h"
#include "widgets/language.h"
#include "widgets/plot_export.h"
#include "widgets/table_text.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct ExportTexts {
    Q_DECLARE_TR_FUNCTIONS(ExportTexts)
};

bool isTable(const QWidget& widget) {
    return (qobject_cast<const QTableView*>(&widget) != nullptr ||
            qobject_cast<const QTreeView*>(&widget) != nullptr) &&
           !widget.property("notExported").toBool();
}

std::optional<Exportable> asExportable(QWidget& widget) {
    if (isTable(widget))
        return Exportable{Exportable::Kind::table, widget.accessibleName(), &widget};
    if (const QString title = plotTitle(widget); !title.isEmpty())
        return Exportable{Exportable::Kind::plot, title, &widget};
    if (qobject_cast<QCustomPlot*>(&widget) != nullptr)
        return Exportable{Exportable::Kind::plot,
                          widget.accessibleName().isEmpty() ? ExportTexts::tr("Plot") : widget.accessibleName(),
                          &widget};
    return {};
}

void collect(QWidget& widget, std::vector<Exportable>& found) {
    if (const auto own = asExportable(widget)) {
        found.push_back(*own);
        return; // a plot's parts are in its picture
    }
    for (QObject* child : widget.children())
        if (auto* part = qobject_cast<QWidget*>(child);
            part != nullptr && part->isVisibleTo(&widget) && !part->isWindow())
            collect(*part, found);
}

QString written(const QString& file, const QByteArray& bytes) {
    const auto done = write_whole_file(file.toStdString(),
                                       std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    return done ? QString() : messageText(done.error().message);
}

} // namespace

std::vector<Exportable> exportables(QWidget& top) {
    std::vector<Exportable> found;
    collect(top, found);
    return found;
}

Exportable exportableAt(QWidget* widget) {
    Exportable found;
    for (; widget != nullptr; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        if (const auto own = asExportable(*widget))
            found = *own; // the outermost: a plot whole, not its part
    return found;
}

QStringList exportFilters(Exportable::Kind kind) {
    if (kind == Exportable::Kind::table)
        return {ExportTexts::tr("CSV (*.csv)"), ExportTexts::tr("Tab-separated (*.tsv)")};
    return {ExportTexts::tr("PNG picture (*.png)"), ExportTexts::tr("SVG drawing (*.svg)"),
            ExportTexts::tr("PDF (*.pdf)")};
}

QString exportTo(const Exportable& what, const QString& file) {
    if (what.widget == nullptr)
        return ExportTexts::tr("It is no longer on screen.");
    const QString ending = QFileInfo(file).suffix().toLower();
    if (what.kind == Exportable::Kind::table) {
        const auto* view = qobject_cast<const QAbstractItemView*>(what.widget.data());
        if (ending != "csv"_L1 && ending != "tsv"_L1)
            return ExportTexts::tr("%1: a table is written as .csv or .tsv.").arg(file);
        return written(file,
                       wholeTable(*view->model(), ending == "csv"_L1 ? TableFormat::csv : TableFormat::tsv).toUtf8());
    }
    for (const auto& [word, format] :
         {std::pair("png"_L1, PictureFormat::png), {"svg"_L1, PictureFormat::svg}, {"pdf"_L1, PictureFormat::pdf}})
        if (ending == word)
            return written(file, plotPicture(*what.widget, format));
    return ExportTexts::tr("%1: a plot is written as .png, .svg or .pdf.").arg(file);
}

} // namespace rankscope
