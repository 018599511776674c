// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no run is open.
#include "widgets/panels/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSvgRenderer>
#include <QVBoxLayout>

#include "widgets/panels/recording_guide.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kLeftWidth = 400;
constexpr int kRightWidth = 600;
constexpr int kGap = 40;
constexpr int kMargin = 24;
constexpr int kNarrow = 820;
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

/// Drawn from its lines, so sharp on every screen that the window is moved to.
class Logo : public QWidget {
public:
    Logo() { setFixedHeight(kSize); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        QSvgRenderer(u":/rankscope/rankscope.svg"_s).render(&painter, QRectF(0, 0, kSize, kSize));
    }

private:
    static constexpr int kSize = 56;
};

/// "~/runs/a" rather than "/home/me/runs/a"
QString shortPath(const QString& path) {
    const QString home = QDir::homePath();
    return home != u"/"_s && path.startsWith(home + u'/') ? QString(u"~"_s + path.mid(home.size())) : path;
}
} // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), recent_(new QListWidget), recentTitle_(text(tr("Recent runs"), 1.0, true, false)),
      guide_(new RecordingGuide), columns_(new QBoxLayout(QBoxLayout::LeftToRight)) {
    auto* content = new QWidget;
    content->setMaximumWidth(kLeftWidth + kGap + kRightWidth + 2 * kMargin);
    columns_->setContentsMargins(kMargin, 0, kMargin, 0);
    columns_->setSpacing(kGap);
    columns_->addWidget(beginning(), 2);
    columns_->addWidget(guide_, 3);
    auto* centred = new QVBoxLayout(content);
    centred->addStretch(2);
    centred->addLayout(columns_);
    centred->addStretch(3);
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Start"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    auto* middle = new QWidget;
    auto* sides = new QHBoxLayout(middle);
    sides->setContentsMargins(0, 0, 0, 0);
    sides->addStretch();
    sides->addWidget(content, 100);
    sides->addStretch();
    scroll->setWidget(middle);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    setRecentRuns({});
}

/// Logo, what to open, and what was open.
QWidget* StartPage::beginning() {
    auto* column = new QWidget;
    auto* logo = new Logo;
    auto* folder = new QPushButton(tr("Open a folder of traces…"));
    folder->setDefault(true);
    auto* file = new QPushButton(tr("Open one file…"));
    auto* demo = new QPushButton(tr("Try the demo"));
    for (QPushButton* button : {folder, file, demo})
        button->setMinimumHeight(34);
    demo->setToolTip(tr("Generates and opens two small runs of 8 ranks, one of them with a slow rank"));
    recent_->setFrameShape(QFrame::NoFrame);
    recent_->setAccessibleName(tr("Recent runs"));
    recent_->setTextElideMode(Qt::ElideMiddle);
    recent_->viewport()->setAutoFillBackground(false);
    recent_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

    auto* others = new QHBoxLayout;
    others->setSpacing(8);
    others->addWidget(file);
    others->addWidget(demo);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(logo);
    layout->addSpacing(8);
    layout->addWidget(text(tr("Where did the time go, who holds up whom?"), 1.5, true, false));
    layout->addWidget(text(tr("Open the traces of a job on several GPUs."), 1.0, false, true));
    layout->addSpacing(14);
    layout->addWidget(folder);
    layout->addLayout(others);
    layout->addSpacing(4);
    layout->addWidget(
        text(tr("Or drop folders and files anywhere on this window; two are put side by side."), 1.0, false, true));
    layout->addSpacing(22);
    layout->addWidget(recentTitle_);
    layout->addWidget(recent_);
    layout->addStretch();

    connect(folder, &QPushButton::clicked, this, &StartPage::openFolderRequested);
    connect(file, &QPushButton::clicked, this, &StartPage::openFileRequested);
    connect(demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    const auto open = [this](const QListWidgetItem* item) {
        Q_EMIT recentRunRequested(item->data(Qt::UserRole).toString());
    };
    connect(recent_, &QListWidget::itemActivated, this, open);
    connect(recent_, &QListWidget::itemClicked, this, open);
    return column;
}

// Where two columns would be too narrow to read, the guide goes below.
void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    columns_->setDirection(width() < kNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
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
