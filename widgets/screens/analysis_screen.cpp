// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens of analyses have in common.
#include "widgets/screens/analysis_screen.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace rankscope {
namespace {
constexpr int kPatienceMs = 200;
constexpr int kWidestWords = 560;
} // namespace

AnalysisScreen::AnalysisScreen(QWidget* parent)
    : QWidget(parent), stack_(new QStackedLayout(this)), messagePage_(new QWidget), title_(new QLabel),
      words_(new QLabel) {
    QFont font = title_->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setWeight(QFont::DemiBold);
    title_->setFont(font);
    words_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QWidget; // its width gives the words their height
    column->setFixedWidth(kWidestWords);
    auto* lines = new QVBoxLayout(column);
    lines->setContentsMargins(0, 0, 0, 0);
    for (QLabel* label : {title_, words_}) {
        label->setAlignment(Qt::AlignCenter);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        lines->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(column);
    row->addStretch();
    auto* layout = new QVBoxLayout(messagePage_);
    layout->addStretch();
    layout->addLayout(row);
    layout->addStretch();
    stack_->addWidget(messagePage_);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatienceMs);
    connect(&patience_, &QTimer::timeout, this, [this] { title_->setText(tr("Adding up…")); });
}

AnalysisScreen::~AnalysisScreen() = default;

void AnalysisScreen::setPage(QWidget* page) { stack_->addWidget(page); }

void AnalysisScreen::useCommands(CommandTable&) {}

void AnalysisScreen::takeRun(std::shared_ptr<const Run> run, std::shared_ptr<const AnalysedRun> analysed) {
    if (run == run_ && analysed == analysed_)
        return;
    preparing_.stop();
    run_ = std::move(run);
    analysed_ = std::move(analysed);
    prepared_ = false;
    ready_ = false;
    showMessage({});
    if (run_)
        patience_.start();
    if (isVisible())
        prepare();
}

void AnalysisScreen::showEvent(QShowEvent* event) {
    prepare();
    QWidget::showEvent(event);
}

void AnalysisScreen::prepare() {
    if (prepared_ || !analysed_)
        return;
    prepared_ = true;
    compute([preparation = preparation_, analysed = analysed_](const std::stop_token& stop) {
        return preparation(analysed, stop);
    });
}

void AnalysisScreen::compute(std::function<Show(const std::stop_token&)> job) {
    ready_ = false;
    preparing_.run(
        {}, [job = std::move(job)](const std::stop_token& stop) { return job(stop); },
        [this](const Show& show) {
            show();
            if (preparing_.isBusy()) // it asked for more
                return;
            ready_ = true;
            Q_EMIT ready();
        },
        [this](const QString& reason) {
            showMessage(tr("This screen cannot be filled"), reason);
            ready_ = true;
            Q_EMIT ready();
        });
}

void AnalysisScreen::prepareAgain() {
    preparing_.stop(); // hidden, it is prepared when it is shown
    prepared_ = false;
    ready_ = false;
    if (isVisible())
        prepare();
}

void AnalysisScreen::showPage() {
    patience_.stop();
    stack_->setCurrentIndex(1);
}

void AnalysisScreen::showMessage(const QString& title, const QString& words) {
    patience_.stop();
    title_->setText(title);
    words_->setText(words);
    stack_->setCurrentWidget(messagePage_);
}

QString AnalysisScreen::message() const {
    if (stack_->currentWidget() != messagePage_)
        return {};
    return words_->text().isEmpty() ? title_->text() : QString(title_->text() + u'\n' + words_->text());
}

} // namespace rankscope
