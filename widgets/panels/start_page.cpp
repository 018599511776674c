// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no run is open.
#include "widgets/panels/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kColumnWidth = 520;
constexpr int kMostShown = 6;

QLabel* text(const QString& words, double size, bool strong, bool dimmed) {
    auto* label = new QLabel(words);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * size);
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    label->setFont(font);
    label->setWordWrap(true);
    if (dimmed)
        label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

/// "~/runs/a" rather than "/home/me/runs/a"
QString shortPath(const QString& path) {
    const QString home = QDir::homePath();
    return home != u"/"_s && path.startsWith(home + u'/') ? QString(u"~"_s + path.mid(home.size())) : path;
}
} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recent_(new QListWidget), recentTitle_(text(tr("Recent runs"), 1.0, true, false)) {
    auto* column = new QWidget;
    column->setFixedWidth(kColumnWidth);
    auto* logo = new QLabel;
    logo->setPixmap(QIcon(u":/rankscope/rankscope.svg"_s).pixmap(QSize(56, 56), devicePixelRatioF()));
    auto* folder = new QPushButton(tr("Open a folder of traces…"));
    folder->setDefault(true);
    folder->setMinimumHeight(34);
    auto* file = new QPushButton(tr("Open one file…"));
    file->setMinimumHeight(34);
    auto* demo = new QPushButton(tr("Try the demo"));
    demo->setMinimumHeight(34);
    demo->setToolTip(tr("Generates and opens two small runs of 8 ranks, one of them with a slow rank"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(folder, 2);
    buttons->addWidget(file, 1);
    buttons->addWidget(demo, 1);
    recent_->setFrameShape(QFrame::NoFrame);
    recent_->setAccessibleName(tr("Recent runs"));
    recent_->setTextElideMode(Qt::ElideMiddle);
    recent_->viewport()->setAutoFillBackground(false);
    recent_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(6);
    layout->addStretch(2);
    layout->addWidget(logo);
    layout->addSpacing(8);
    layout->addWidget(text(tr("Where did the time go, who holds up whom?"), 1.5, true, false));
    layout->addWidget(text(tr("Open the traces of a training job: one file per rank, as the PyTorch profiler writes "
                              "them (.json, .json.gz, .json.zst)."),
                           1.0, false, true));
    layout->addSpacing(14);
    layout->addLayout(buttons);
    layout->addSpacing(4);
    layout->addWidget(text(tr("Or drop folders and files anywhere on this window."), 1.0, false, true));
    layout->addSpacing(22);
    layout->addWidget(recentTitle_);
    layout->addWidget(recent_);
    layout->addStretch(3);
    auto* centre = new QHBoxLayout(this);
    centre->addStretch();
    centre->addWidget(column);
    centre->addStretch();

    connect(folder, &QPushButton::clicked, this, &StartPage::openFolderRequested);
    connect(file, &QPushButton::clicked, this, &StartPage::openFileRequested);
    connect(demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    const auto open = [this](const QListWidgetItem* item) {
        Q_EMIT recentRunRequested(item->data(Qt::UserRole).toString());
    };
    connect(recent_, &QListWidget::itemActivated, this, open);
    connect(recent_, &QListWidget::itemClicked, this, open);
    setRecentRuns({});
}

void StartPage::setRecentRuns(const QStringList& paths) {
    recent_->clear();
    for (const QString& path : paths.mid(0, kMostShown)) {
        auto* item = new QListWidgetItem(QFileInfo(path).fileName() % u"   "_s % shortPath(path), recent_);
        item->setData(Qt::UserRole, path);
        item->setToolTip(path);
        item->setSizeHint({0, fontMetrics().height() + 10});
    }
    recent_->setFixedHeight(recent_->count() * (fontMetrics().height() + 10) + 2);
    recent_->setVisible(recent_->count() > 0);
    recentTitle_->setVisible(recent_->count() > 0);
}

} // namespace rankscope
