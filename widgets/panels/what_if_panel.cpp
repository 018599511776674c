// SPDX-License-Identifier: GPL-3.0-or-later
// What a step would take if something were different.
#include "widgets/panels/what_if_panel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/analysis/graph/communication_nodes.h"
#include "core/analysis/slowdown/graph_slowdown.h"
#include "widgets/language.h"
#include "widgets/name_text.h"
#include "widgets/number_text.h"
#include "widgets/panels/speed_slider.h"
#include "widgets/screens/instance_query.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kDelayMs = 40;
constexpr int kIndent = 22;
constexpr int kResultLetters = 30; ///< in a line of the prediction, at least
constexpr std::size_t kMostDimensions = 6;
constexpr std::size_t kMostKernels = 12;
constexpr std::size_t kMostRanks = 64; ///< of the list; more of them only where findings name them
constexpr std::size_t kMostLinks = 16;

/// "27 % less", "4.1 % more", "as much".
QString difference(const Prediction& prediction) {
    const double percent = prediction.measured > 0 ? 100 * (prediction.predicted / prediction.measured - 1) : 0;
    if (std::abs(percent) < 0.05)
        return QCoreApplication::translate("rankscope::WhatIfPanel", "the same");
    return percent < 0 ? QCoreApplication::translate("rankscope::WhatIfPanel", "%1 less").arg(percentText(-percent))
                       : QCoreApplication::translate("rankscope::WhatIfPanel", "%1 more").arg(percentText(percent));
}

/// The wheel scrolls the page, and changes nothing that the pointer happens to pass.
class WheelScrollsPage : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus())
            return false;
        event->ignore(); // so that Qt offers it to the widgets around
        return true;
    }
};

void scrollsPage(QWidget* control) {
    control->setFocusPolicy(Qt::StrongFocus); // not by the wheel
    control->installEventFilter(new WheelScrollsPage(control));
}

QString shellQuoted(const QString& text) { return u'\'' + QString(text).replace(u'\'', u"'\\''"_s) + u'\''; }

} // namespace

QString changeOf(const Finding& finding, std::span<const CommGroup> groups) {
    const QString group = QString::fromStdString(finding.group);
    if (finding.code == FindingCode::straggler)
        return u"straggler=median"_s;
    if (finding.code == FindingCode::host_bound)
        return u"host=0"_s;
    if (finding.code == FindingCode::uneven_stages)
        return u"stages=even"_s;
    if (finding.code == FindingCode::exposed_communication)
        return group.isEmpty() ? u"comm=0"_s : QString(u"comm."_s + group + u"=0"_s);
    // Of one group that others are like; how long calls should take else is not a change that one can ask for.
    const auto own = std::ranges::find_if(
        groups, [&](const CommGroup& one) { return one.ranks == finding.ranks && one.label() == finding.group; });
    if (finding.code == FindingCode::slow_link && finding.cause == FindingCause::none && own != groups.end())
        if (const std::string target = link_target(groups, static_cast<std::uint32_t>(own - groups.begin()));
            !target.empty())
            return u"link.%1=peers"_s.arg(QString::fromStdString(target));
    return {};
}

WhatIfPanel::WhatIfPanel(QWidget* parent) : QWidget(parent), opener_(new QToolButton), short_(new QLabel) {
    opener_->setText(tr("What if …"));
    opener_->setCheckable(true);
    opener_->setAutoRaise(true);
    opener_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    opener_->setAccessibleName(tr("What if"));
    opener_->setToolTip(tr("What a step would take if something were different.\nNot in the prediction: launch queues "
                           "that are full, and kernels that "
                           "slow each other down: less communication saves more than it says, more overlap less."));
    short_->setTextFormat(Qt::PlainText);
    short_->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->addWidget(opener_);
    head->addWidget(short_, 1);
    body_ = buildBody();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(body_);
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, &WhatIfPanel::ask);
    connect(opener_, &QToolButton::toggled, this, &WhatIfPanel::setOpen);
    setOpen(false);
}

QWidget* WhatIfPanel::buildBody() {
    auto* body = new QFrame;
    body->setFrameShape(QFrame::NoFrame);
    controls_ = new QWidget;
    grid_ = new QGridLayout(controls_);
    row_ = new QHBoxLayout(body);
    row_->setContentsMargins(kIndent, 4, 0, 0);
    row_->setSpacing(32);
    row_->addWidget(controls_);
    row_->addWidget(buildResult(), 1, Qt::AlignTop);
    return body;
}

/// The result is below the controls where the page is too narrow for both.
void WhatIfPanel::arrange() {
    // Else both side by side would keep the page wide.
    body_->setMinimumWidth(kIndent + controls_->minimumSizeHint().width());
    const int both = controls_->sizeHint().width() + fontMetrics().averageCharWidth() * kResultLetters;
    row_->setDirection(width() < both ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void WhatIfPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

QWidget* WhatIfPanel::buildResult() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 2, 0, 0);
    result_ = new QLabel;
    QFont font = result_->font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    font.setWeight(QFont::DemiBold);
    result_->setFont(font);
    result_->setAccessibleName(tr("Predicted time of a step"));
    notes_ = new QLabel;
    notes_->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {result_, notes_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    copy_ = new QToolButton;
    copy_->setText(tr("Copy as --what-if"));
    copy_->setToolTip(tr("Options of rankscope --batch that give the same number"));
    reset_ = new QToolButton;
    reset_->setText(tr("Reset"));
    reset_->setToolTip(tr("Everything as recorded"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copy_);
    buttons->addWidget(reset_);
    buttons->addStretch();
    column->addSpacing(6);
    column->addLayout(buttons);
    connect(copy_, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(commandLine()); });
    connect(reset_, &QToolButton::clicked, this, &WhatIfPanel::reset);
    return box;
}

void WhatIfPanel::setOpen(bool open) {
    const QSignalBlocker quiet(opener_);
    opener_->setChecked(open);
    opener_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(open);
    if (open && analysis_ && rows_.empty())
        findOffers();
}

bool WhatIfPanel::isOpen() const { return opener_->isChecked(); }

void WhatIfPanel::setAnalysis(std::shared_ptr<const RunAnalysis> analysis) {
    if (analysis == analysis_)
        return;
    analysis_ = std::move(analysis);
    jobs_.stop();
    offers_ = {};
    pending_.clear();
    rows_.clear();
    kernel_ = nullptr;
    microbatches_ = nullptr;
    qDeleteAll(controls_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    setVisible(analysis_ != nullptr);
    changed();
    if (isOpen() && analysis_)
        findOffers();
}

/// The dimensions and kernels one can choose. Cheap beside the step graph, which is there: but not on the window's
/// thread.
void WhatIfPanel::findOffers() {
    takeOffers({}); // what every run has, at once
    jobs_.run(
        {offersJob}, [analysis = analysis_](const std::stop_token&) { return offersOf(*analysis); },
        [this](const Offers& offers) {
            takeOffers(offers);
            findPlans();
        });
}

/// Which schedules and how many microbatches could have run only replays tell.
void WhatIfPanel::findPlans() {
    if (!offers_.host || !analysis_->pipeline().unavailable.empty())
        return;
    jobs_.run(
        {plansJob}, [analysis = analysis_](const std::stop_token&) { return plansOf(*analysis); },
        [this](const Plans& plans) {
            // They join the end: the controls that the user holds stay.
            offers_.plans = plans;
            addPlans();
            arrange();
            if (!pending_.isEmpty())
                apply(std::exchange(pending_, {}));
            changed();
        });
}

WhatIfPanel::Offers WhatIfPanel::offersOf(const RunAnalysis& analysis) {
    Offers offers;
    offers.host = analysis.run().source != TraceSource::operations;
    if (offers.host) {
        std::set<ParallelDimension> seen;
        for (const CommunicationNode& node : analysis.communication())
            seen.insert(node.dimension);
        for (const ParallelDimension dimension : seen)
            offers.dimensions.push_back(QString::fromUtf8(parallel_dimension_word(dimension)));
    } else {
        offers.dimensions = {u"pp"_s, u"dp"_s};
    }
    offers.communicates = !offers.dimensions.empty();
    for (const std::vector<KernelStatistics>& rank : analysis.kernel_tables())
        offers.communicates = offers.communicates || std::ranges::any_of(rank, [](const KernelStatistics& kernel) {
                                  return kernel.kernel_class == KernelClass::communication;
                              });
    for (const KernelStatistics& kernel :
         analysis.kernel_tables().empty() ? std::vector<KernelStatistics>() : analysis.kernel_tables().front())
        if (kernel.kernel_class != KernelClass::communication && offers.kernels.size() < kMostKernels)
            offers.kernels.emplace_back(analysis.run().names->view(kernel.name));
    offers.evened = evenedChoices(analysis);
    return offers;
}

/// What can be made like others of its kind: stages, types of work, links and ranks.
std::vector<WhatIfPanel::Choice> WhatIfPanel::evenedChoices(const RunAnalysis& analysis) {
    std::vector<Choice> choices;
    const bool operations = analysis.run().source == TraceSource::operations;
    std::set<int> stages;
    if (operations) // which say where in the mesh they ran
        for (const GroupSlowdown& stage : analysis.straggler_slowdown().by_stage)
            stages.insert(stage.number);
    else
        stages.insert(analysis.pipeline().stages.begin(), analysis.pipeline().stages.end());
    if (stages.size() > 1 && *stages.begin() >= 0) {
        choices.push_back({tr("All stages"), u"stages=even"_s});
        for (const int stage : stages)
            choices.push_back({tr("Stage %1 as the mean one").arg(stage), u"stage.%1=mean"_s.arg(stage)});
    }
    std::vector<std::string> types;
    if (!operations)
        types = operation_types(analysis.step_graph(), analysis.communication());
    else
        for (const GroupSlowdown& type : analysis.straggler_slowdown().by_operation)
            if (!type.name.ends_with("-pp-comm")) // sends and receives together
                types.push_back(type.name);
    for (const std::string& type : analysis.run().ranks.size() > 1 ? types : std::vector<std::string>())
        choices.push_back({tr("%1 on all ranks").arg(nameText(type)), u"operation.%1=ideal"_s.arg(nameText(type))});
    const std::set<std::uint32_t> groups =
        operations ? std::set<std::uint32_t>() : groups_with_peers(analysis.communication());
    if (groups.size() <= kMostLinks)
        for (const std::uint32_t group : groups) {
            const QString target = QString::fromStdString(link_target(analysis.collectives().groups, group));
            if (!target.isEmpty())
                choices.push_back({tr("Links of %1").arg(target), u"link.%1=peers"_s.arg(target)});
        }
    std::set<int> ranks;
    for (const Finding& finding : analysis.findings().list)
        if (finding.code == FindingCode::straggler)
            ranks.insert(finding.ranks.begin(), finding.ranks.end());
    if (analysis.run().ranks.size() <= kMostRanks && analysis.findings().judged.ranks)
        for (const auto& rank : analysis.run().ranks)
            ranks.insert(rank->rank);
    for (const int rank : ranks)
        choices.push_back({tr("Rank %1 as its peers").arg(rank), u"rank.%1=peers"_s.arg(rank)});
    return choices;
}

WhatIfPanel::Plans WhatIfPanel::plansOf(const RunAnalysis& analysis) {
    const auto is_known = [&](const QString& change) {
        const Change changes[] = {*parse_change(change.toStdString())};
        return analysis.predict(changes).front().unavailable.empty();
    };
    const PipelineAnalysis& pipeline = analysis.pipeline();
    Plans plans;
    if (pipeline.microbatches)
        if (const int now = static_cast<int>(*pipeline.microbatches); is_known(u"microbatches=%1"_s.arg(2 * now)))
            plans.microbatches = now;
    if (pipeline.schedule == ScheduleKind::unknown)
        return plans;
    for (const auto& [words, change] :
         {std::pair(u"GPipe"_s, u"schedule=gpipe"_s), std::pair(u"1F1B"_s, u"schedule=1f1b"_s),
          std::pair(tr("Interleaved, 2 parts each"), u"schedule=interleaved:2"_s),
          std::pair(tr("Zero-bubble"), u"schedule=zero_bubble"_s), std::pair(u"DualPipe"_s, u"schedule=dualpipe"_s),
          std::pair(u"DualPipeV"_s, u"schedule=dualpipev"_s)})
        if (is_known(change))
            plans.schedules.push_back({words, change});
    return plans;
}

/// Changes made meanwhile stay.
void WhatIfPanel::takeOffers(const Offers& offers) {
    const QStringList before = changes();
    offers_ = offers;
    fillRows();
    arrange();
    for (const QString& change : before)
        apply(change);
    if (!pending_.isEmpty())
        apply(std::exchange(pending_, {}));
    changed();
}

void WhatIfPanel::fillRows() {
    rows_.clear();
    kernel_ = nullptr;
    microbatches_ = nullptr;
    qDeleteAll(controls_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    delete grid_;
    grid_ = new QGridLayout(controls_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(5);
    if (analysis_->run().ranks.size() > 1)
        addCheck(u"straggler"_s, u"median"_s, tr("Late ranks as fast as the median"));
    if (offers_.communicates)
        addSpeed(u"comm"_s, offers_.dimensions.size() > 1 ? tr("All communication") : tr("Communication"));
    if (offers_.dimensions.size() > 1)
        for (std::size_t i = 0; i < std::min(kMostDimensions, offers_.dimensions.size()); ++i) {
            const QString& word = offers_.dimensions[i];
            addSpeed(u"comm."_s + word,
                     word == "unknown"_L1 ? tr("Other communication") : tr("Communication of %1").arg(word));
        }
    if (offers_.host && offers_.communicates)
        addCheck(u"overlap"_s, u"perfect"_s, tr("Computation waits for no communication"));
    if (offers_.host)
        addSpeed(u"host"_s, tr("The host"));
    addKernel();
    addChoice(tr("Evened out"), offers_.evened);
    addPlans();
}

void WhatIfPanel::addPlans() {
    if (offers_.plans.microbatches)
        addMicrobatches();
    addChoice(tr("Schedule"), offers_.plans.schedules);
}

void WhatIfPanel::finishRow(Row row, QWidget* control) {
    const int line = static_cast<int>(rows_.size());
    row.effect = new QLabel;
    row.effect->setForegroundRole(QPalette::PlaceholderText);
    row.effect->setMinimumWidth(fontMetrics().horizontalAdvance(tr("alone 99.9 % less")));
    if (row.label != nullptr)
        grid_->addWidget(row.label, line, 0);
    if (row.label != nullptr)
        grid_->addWidget(control, line, 1);
    else
        grid_->addWidget(control, line, 0, 1, 2);
    grid_->addWidget(row.effect, line, 2);
    rows_.push_back(std::move(row));
}

void WhatIfPanel::addSpeed(const QString& name, const QString& label) {
    Row row{name, new QLabel(label), new SpeedSlider(label), nullptr, {}, nullptr, nullptr};
    scrollsPage(&row.speed->slider());
    row.label->setTextFormat(Qt::PlainText);
    connect(row.speed, &SpeedSlider::speedChanged, this, &WhatIfPanel::changed);
    QWidget* control = row.speed;
    finishRow(std::move(row), control);
}

void WhatIfPanel::addCheck(const QString& name, const QString& on, const QString& label) {
    Row row{name, nullptr, nullptr, new QCheckBox(label), on, nullptr, nullptr};
    connect(row.check, &QCheckBox::toggled, this, &WhatIfPanel::changed);
    QWidget* control = row.check;
    finishRow(std::move(row), control);
}

void WhatIfPanel::addKernel() {
    kernel_ = new QComboBox;
    scrollsPage(kernel_);
    kernel_->setEditable(true);
    kernel_->setInsertPolicy(QComboBox::NoInsert);
    kernel_->setAccessibleName(tr("Kernel, by name or regular expression"));
    kernel_->setToolTip(tr("A kernel of the list, or a regular expression of names"));
    kernel_->lineEdit()->setPlaceholderText(tr("Kernel or /expression/"));
    kernel_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kernel_->setMinimumContentsLength(22);
    for (const std::string& name : offers_.kernels) {
        const bool tells = kernel_->findText(shortNameText(name)) < 0; // this kernel from those before it
        kernel_->addItem(tells ? shortNameText(name) : nameText(name), exactPattern(name));
    }
    kernel_->lineEdit()->setCursorPosition(0); // the start of a name says more than its end
    Row row{u"kernel:"_s, nullptr, new SpeedSlider(tr("The kernel")), nullptr, {}, nullptr, nullptr};
    scrollsPage(&row.speed->slider());
    connect(row.speed, &SpeedSlider::speedChanged, this, &WhatIfPanel::changed);
    connect(kernel_, &QComboBox::currentTextChanged, this, &WhatIfPanel::changed);
    const int line = static_cast<int>(rows_.size());
    QWidget* control = row.speed;
    row.label = new QLabel;
    row.label->hide();
    finishRow(std::move(row), control);
    grid_->addWidget(kernel_, line, 0);
}

void WhatIfPanel::addChoice(const QString& label, const std::vector<Choice>& choices) {
    if (choices.empty())
        return;
    Row row{{}, new QLabel(label), nullptr, nullptr, {}, new QComboBox, nullptr};
    scrollsPage(row.choice);
    row.choice->setAccessibleName(label);
    row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.choice->setMinimumContentsLength(22);
    row.choice->addItem(tr("as recorded"), QString());
    for (const Choice& choice : choices)
        row.choice->addItem(choice.words, choice.change);
    connect(row.choice, &QComboBox::currentIndexChanged, this, &WhatIfPanel::changed);
    QWidget* control = row.choice;
    finishRow(std::move(row), control);
}

void WhatIfPanel::addMicrobatches() {
    microbatches_ = new QSpinBox;
    microbatches_->setRange(1, 1000);
    microbatches_->setValue(*offers_.plans.microbatches);
    microbatches_->setAccessibleName(tr("Microbatches in a step"));
    connect(microbatches_, &QSpinBox::valueChanged, this, &WhatIfPanel::changed);
    Row row{u"microbatches"_s, new QLabel(tr("Microbatches in a step")), nullptr, nullptr, {}, nullptr, nullptr};
    auto* box = new QWidget;
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(microbatches_);
    layout->addStretch();
    finishRow(std::move(row), box);
}

QString WhatIfPanel::changeOf(const Row& row) const {
    if (row.choice != nullptr)
        return row.choice->currentData().toString();
    if (row.check != nullptr)
        return row.check->isChecked() ? QString(row.name + u'=' + row.on) : QString();
    if (row.speed == nullptr) // microbatches
        return microbatches_->value() == *offers_.plans.microbatches
                   ? QString()
                   : QString(row.name + u'=' + QString::number(microbatches_->value()));
    const QString value = row.speed->value();
    if (value.isEmpty() || row.name != "kernel:"_L1)
        return value.isEmpty() ? QString() : QString(row.name + u'=' + value);
    const QString typed = kernel_->currentText().trimmed();
    const int item = kernel_->findText(typed, Qt::MatchExactly);
    const QString pattern = item >= 0 ? kernel_->itemData(item).toString() : typed;
    return pattern.isEmpty() ? QString() : QString(row.name + pattern + u'=' + value);
}

QStringList WhatIfPanel::changes() const {
    QStringList all;
    for (const Row& row : rows_)
        if (const QString change = changeOf(row); !change.isEmpty())
            all << change;
    return all;
}

QString WhatIfPanel::commandLine() const {
    QStringList options;
    for (const QString& change : changes())
        if (parse_change(change.toStdString()))
            options << u"--what-if "_s + shellQuoted(change);
    return options.join(u' ');
}

bool WhatIfPanel::apply(const QString& change) {
    if (!analysis_)
        return false;
    setOpen(true);
    const auto parsed = parse_change(change.toStdString());
    if (!parsed)
        return false;
    for (const Row& row : rows_)
        if (const int item = row.choice == nullptr ? -1 : row.choice->findData(change); item >= 0) {
            row.choice->setCurrentIndex(item);
            return true;
        }
    const QString name = change.left(change.lastIndexOf(u'='));
    const bool isKernel = parsed->kind == ChangeKind::kernel;
    auto row = std::ranges::find(rows_, isKernel ? u"kernel:"_s : name, &Row::name);
    if (row == rows_.end() && parsed->kind == ChangeKind::communication) { // a group, or a dimension not listed (yet)
        addSpeed(name, tr("Communication of %1").arg(nameText(parsed->target)));
        row = rows_.end() - 1;
    }
    if (row == rows_.end()) {
        const bool evened = parsed->kind == ChangeKind::rank || parsed->kind == ChangeKind::stage ||
                            parsed->kind == ChangeKind::operation || parsed->kind == ChangeKind::link;
        const bool coming = evened ? offers_.evened.empty()
                                   : (parsed->kind == ChangeKind::schedule && offers_.plans.schedules.empty()) ||
                                         (parsed->kind == ChangeKind::microbatches && !offers_.plans.microbatches);
        pending_ = coming ? change : QString();
        return coming;
    }
    if (isKernel) {
        const QString pattern = QString::fromStdString(parsed->target);
        const int item = kernel_->findData(pattern);
        kernel_->setCurrentText(item >= 0 ? kernel_->itemText(item) : pattern);
    }
    if (row->check != nullptr)
        row->check->setChecked(true);
    else if (row->speed != nullptr)
        row->speed->setSpeed(parsed->factor > 0 ? 1 / parsed->factor : SpeedSlider::kFree);
    else
        microbatches_->setValue(parsed->microbatches);
    return true;
}

void WhatIfPanel::reset() {
    for (const Row& row : rows_)
        if (row.choice != nullptr)
            row.choice->setCurrentIndex(0);
        else if (row.check != nullptr)
            row.check->setChecked(false);
        else if (row.speed != nullptr)
            row.speed->setSpeed(1);
        else
            microbatches_->setValue(*offers_.plans.microbatches);
}

void WhatIfPanel::changed() {
    const QStringList now = changes();
    copy_->setEnabled(!now.isEmpty());
    reset_->setEnabled(!now.isEmpty());
    jobs_.stop({predictionJob});
    if (!now.isEmpty() && analysis_)
        return delay_.start();
    delay_.stop();
    prediction_.reset();
    clearDetails();
    short_->clear();
    result_->setText(tr("Change something to see what a step would take."));
}

void WhatIfPanel::clearDetails() {
    for (const Row& row : rows_)
        row.effect->clear();
    notes_->clear();
}

/// What is wrong, or cannot be predicted, is told and left out of the others' prediction.
void WhatIfPanel::ask() {
    Asked asked;
    std::vector<Change> parsed;
    for (const QString& text : changes()) {
        if (auto change = parse_change(text.toStdString())) {
            asked.changes << text;
            parsed.push_back(std::move(*change));
        } else {
            asked.problems << messageText(change.error().message);
        }
    }
    if (parsed.empty()) {
        clearDetails();
        return showProblem(asked.problems.join(u'\n'));
    }
    jobs_.run(
        {predictionJob},
        [analysis = analysis_, parsed = std::move(parsed)](const std::stop_token&) {
            std::vector<Prediction> predictions = analysis->predict(parsed);
            std::vector<Change> possible;
            for (std::size_t i = 0; i < parsed.size(); ++i)
                if (predictions[i].unavailable.empty())
                    possible.push_back(parsed[i]);
            if (!possible.empty() && possible.size() < parsed.size())
                predictions.back() = analysis->predict(possible).back();
            return predictions;
        },
        [this, asked](std::vector<Prediction> predictions) { answer(std::move(predictions), asked); },
        [this](const QString& reason) { showProblem(reason); });
}

void WhatIfPanel::answer(std::vector<Prediction> predictions, Asked asked) {
    prediction_ = predictions.back();
    const bool several = changes().size() > 1;
    for (const Row& row : rows_) {
        const QString change = changeOf(row);
        const qsizetype place = asked.changes.indexOf(change);
        const Prediction* alone = place >= 0 ? &predictions[static_cast<std::size_t>(place)] : nullptr;
        const bool known = alone != nullptr && alone->unavailable.empty();
        row.effect->setText(!several || change.isEmpty() ? QString()
                            : known                      ? tr("alone %1").arg(difference(*alone))
                                                         : tr("left out"));
    }
    for (qsizetype i = 0; i < asked.changes.size() && prediction_->unavailable.empty(); ++i)
        if (const Message& why = predictions[static_cast<std::size_t>(i)].unavailable; !why.empty())
            asked.problems << u"%1: %2"_s.arg(asked.changes[i], messageText(why));
    QStringList notes;
    for (const QString& problem : asked.problems)
        notes << tr("Left out: %1").arg(problem);
    for (const Message& note : prediction_->notes)
        notes << messageText(note);
    for (const Message& each : prediction_->assumes)
        notes << tr("Assumes that %1.").arg(messageText(each));
    notes_->setText(notes.join(u'\n'));
    if (!prediction_->unavailable.empty())
        return showProblem(messageText(prediction_->unavailable));
    const QString words =
        (analysis_->findings().of_steps ? tr("%1 a step instead of %2: %3. Throughput %4.")
                                        : tr("%1 instead of %2: %3. Throughput %4."))
            .arg(timeTextOfNs(prediction_->predicted), timeTextOfNs(prediction_->measured), difference(*prediction_),
                 signedPercentText(prediction_->throughput_percent_change()));
    result_->setText(words);
    short_->setText(words);
    Q_EMIT predicted();
}

void WhatIfPanel::showProblem(const QString& words) {
    prediction_.reset();
    short_->clear();
    result_->setText(words);
    Q_EMIT predicted();
}

QString WhatIfPanel::result() const { return result_->text(); }
QString WhatIfPanel::notes() const { return notes_->text(); }

} // namespace rankscope
