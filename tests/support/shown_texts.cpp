// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a window says.
#include "tests/support/shown_texts.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTextDocumentFragment>

namespace rankscope::test {

namespace {

constexpr int kMostRows = 40;

/// Draws nothing and remembers texts.
class TextEngine : public QPaintEngine {
public:
    TextEngine() : QPaintEngine(AllFeatures) {}
    QStringList texts;

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
    [[nodiscard]] Type type() const override { return User; }
};

class TextRecorder : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : size_(size) {}
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine_; }
    [[nodiscard]] const QStringList& texts() const { return engine_.texts; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric which) const override {
        switch (which) {
        case PdmWidth: return size_.width();
        case PdmHeight: return size_.height();
        case PdmWidthMM: return size_.width() / 4;
        case PdmHeightMM: return size_.height() / 4;
        case PdmNumColors: return 1 << 24;
        case PdmDepth: return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return 96;
        default: return QPaintDevice::metric(which);
        }
    }

private:
    QSize size_;
    mutable TextEngine engine_;
};

QString plain(const QString& text) {
    return Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
}

void eachCell(const QAbstractItemModel& model, const QModelIndex& parent, int depth,
              const std::function<void(const QVariant&)>& found) {
    for (int row = 0; row < std::min(model.rowCount(parent), kMostRows); ++row)
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            found(index.data());
            found(index.data(Qt::ToolTipRole));
            found(index.data(Qt::AccessibleTextRole));
            if (depth < 3 && column == 0)
                eachCell(model, index, depth + 1, found);
        }
}

} // namespace

void eachShownText(QWidget& window, const std::function<void(const QString& text, const QString& where)>& found) {
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets.prepend(&window);
    for (QWidget* widget : widgets) {
        const auto say = [&](const QString& text, const char* what) {
            if (!text.isEmpty())
                found(plain(text), QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                       QString::fromLatin1(what));
        };
        say(widget->windowTitle(), "title");
        say(widget->toolTip(), "tooltip");
        say(widget->statusTip(), "status tip");
        say(widget->whatsThis(), "what's this");
        say(widget->accessibleName(), "accessible name");
        say(widget->accessibleDescription(), "accessible description");
        for (const QAction* action : widget->actions()) {
            say(action->text(), "action");
            say(action->toolTip(), "action's tooltip");
            say(action->statusTip(), "action's status tip");
        }
        if (const auto* label = qobject_cast<QLabel*>(widget))
            say(label->text(), "text");
        if (const auto* button = qobject_cast<QAbstractButton*>(widget))
            say(button->text(), "text");
        if (const auto* group = qobject_cast<QGroupBox*>(widget))
            say(group->title(), "text");
        if (const auto* line = qobject_cast<QLineEdit*>(widget))
            say(line->placeholderText(), "placeholder");
        if (const auto* edit = qobject_cast<QPlainTextEdit*>(widget))
            say(edit->placeholderText(), "placeholder");
        if (const auto* tabs = qobject_cast<QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i) {
                say(tabs->tabText(i), "tab");
                say(tabs->tabToolTip(i), "tab's tooltip");
            }
        if (const auto* box = qobject_cast<QComboBox*>(widget); box != nullptr && !box->inherits("QFontComboBox"))
            for (int i = 0; i < box->count(); ++i)
                say(box->itemText(i), "item");
        if (const auto* box = qobject_cast<QSpinBox*>(widget)) {
            say(box->specialValueText(), "special value");
            say(box->prefix(), "prefix");
            say(box->suffix(), "suffix");
        }
        const auto* view = qobject_cast<QAbstractItemView*>(widget);
        if (view == nullptr || view->model() == nullptr || qobject_cast<const QHeaderView*>(view) != nullptr)
            continue;
        const QAbstractItemModel& model = *view->model();
        for (int column = 0; column < model.columnCount(); ++column)
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                say(model.headerData(column, Qt::Horizontal, role).toString(), "heading");
        for (int row = 0; row < std::min(model.rowCount(), kMostRows); ++row)
            say(model.headerData(row, Qt::Vertical).toString(), "row's heading");
        eachCell(model, {}, 0, [&](const QVariant& cell) { say(cell.toString(), "cell"); });
    }
    for (QWidget* widget : widgets)
        if (widget->isVisible() && !widget->size().isEmpty()) {
            TextRecorder recorder(widget->size());
            widget->render(&recorder, {}, {}, QWidget::DrawWindowBackground);
            for (const QString& text : recorder.texts())
                found(text, QString::fromLatin1(widget->metaObject()->className()) + QLatin1String(" painted"));
        }
}

} // namespace rankscope::test
