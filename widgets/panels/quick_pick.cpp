// SPDX-License-Identifier: GPL-3.0-or-later
// A list one picks from by typing.
#include "widgets/panels/quick_pick.h"

#include <algorithm>

#include <QAbstractTableModel>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/fuzzy_match.h"

namespace rankscope {

namespace {
constexpr QSize kSize(620, 420);
constexpr int kRowAir = 8;
} // namespace

class QuickPickModel : public QAbstractTableModel {
public:
    QuickPickModel(std::vector<QuickPickItem> items, QObject* parent)
        : QAbstractTableModel(parent), items_(std::move(items)) {
        setWanted({});
    }

    void setWanted(const QString& wanted) {
        std::vector<std::pair<int, std::size_t>> found;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (const auto score = fuzzyScore(wanted, QString(items_[i].title + u' ' + items_[i].detail)))
                found.emplace_back(*score, i);
        // Equal ones stay in their order, so the first listed is the first shown.
        const auto better = [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        };
        const std::size_t most = std::min(found.size(), QuickPick::kMost);
        std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(most), better);
        beginResetModel();
        shown_.clear();
        for (std::size_t i = 0; i < most; ++i)
            shown_.push_back(found[i].second);
        endResetModel();
    }
    [[nodiscard]] const std::vector<std::size_t>& shown() const { return shown_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent) const override {
        return parent.isValid() ? 0 : static_cast<int>(shown_.size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : 3; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
            return {};
        const QuickPickItem& item = items_[shown_[static_cast<std::size_t>(index.row())]];
        if (role == Qt::DisplayRole)
            return index.column() == 0 ? item.title : index.column() == 1 ? item.detail : item.keys;
        if (role == Qt::SizeHintRole)
            return QSize(QFontMetrics(QApplication::font()).horizontalAdvance(data(index, Qt::DisplayRole).toString()) +
                             2 * kRowAir,
                         QFontMetrics(QApplication::font()).height() + kRowAir);
        if (role == Qt::TextAlignmentRole && index.column() == 2)
            return QVariant(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    }
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override {
        if (!index.isValid())
            return {};
        const bool enabled = items_[shown_[static_cast<std::size_t>(index.row())]].enabled;
        return enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemFlags(Qt::ItemIsSelectable);
    }

private:
    std::vector<QuickPickItem> items_;
    std::vector<std::size_t> shown_;
};

QuickPick::QuickPick(const QString& title, const QString& hint, std::vector<QuickPickItem> items, QWidget* parent)
    : QDialog(parent), field_(new QLineEdit), list_(new QTreeView), model_(new QuickPickModel(std::move(items), this)) {
    setWindowTitle(title);
    setAccessibleName(title);
    resize(kSize);
    field_->setPlaceholderText(hint);
    field_->setAccessibleName(hint);
    field_->setClearButtonEnabled(true);
    field_->installEventFilter(this);
    list_->setModel(model_);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAllColumnsShowFocus(true);
    list_->setFocusPolicy(Qt::NoFocus); // the field has the keys and hands them on
    list_->setAccessibleName(title);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(field_);
    layout->addWidget(list_, 1);
    connect(field_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_->setWanted(text);
        list_->setCurrentIndex(model_->index(0, 0));
        list_->scrollToTop();
    });
    connect(field_, &QLineEdit::returnPressed, this, &QuickPick::pickCurrent);
    connect(list_, &QTreeView::clicked, this, &QuickPick::pickCurrent);
    list_->setCurrentIndex(model_->index(0, 0));
}

QAbstractItemModel* QuickPick::model() const { return model_; }

const std::vector<std::size_t>& QuickPick::shown() const { return model_->shown(); }

void QuickPick::pickCurrent() {
    const QModelIndex current = list_->currentIndex();
    if (!current.isValid() || !current.flags().testFlag(Qt::ItemIsEnabled))
        return;
    const std::size_t item = model_->shown()[static_cast<std::size_t>(current.row())];
    accept();
    Q_EMIT picked(item);
}

bool QuickPick::eventFilter(QObject* watched, QEvent* event) {
    if (watched == field_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(list_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void QuickPick::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    field_->setFocus();
    if (const QWidget* window = parentWidget())
        move(window->mapToGlobal(QPoint((window->width() - width()) / 2, std::min(60, window->height() / 10))));
}

} // namespace rankscope
