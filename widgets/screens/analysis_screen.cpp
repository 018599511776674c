// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens of analyses have in common.
#include "widgets/screens/analysis_screen.h"

#include <QStackedLayout>

#include "widgets/message_page.h"

namespace rankscope {
namespace {
constexpr int kPatienceMs = 200;
} // namespace

AnalysisScreen::AnalysisScreen(QWidget* parent)
    : QWidget(parent), stack_(new QStackedLayout(this)), messagePage_(new MessagePage) {
    stack_->addWidget(messagePage_);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatienceMs);
    connect(&patience_, &QTimer::timeout, this, [this] { messagePage_->setMessage(tr("Adding up…"), {}); });
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
    messagePage_->setMessage(title, words);
    stack_->setCurrentWidget(messagePage_);
}

QString AnalysisScreen::message() const {
    return stack_->currentWidget() == messagePage_ ? messagePage_->message() : QString();
}

} // namespace rankscope
