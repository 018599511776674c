// SPDX-License-Identifier: GPL-3.0-or-later
// How to record a run, for who has none yet.
#include "widgets/panels/recording_guide.h"

#include <array>

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kTextLines = 13;

struct Template {
    const char* title;
    const char* file;
    const char* note; ///< when to use it
};

constexpr std::array kTemplates{
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "PyTorch"), "pytorch_lines.py",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "Around the training loop. Then open my_run.")},
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "torchtitan"), "torchtitan.toml",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide",
                               "In the job's configuration. Then open its profile_trace folder.")},
    Template{
        QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "nsys"), "nsys_node.sh",
        QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "nsys_node.sh my_run torchrun --nproc-per-node 8 train.py")},
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "nsys + srun"), "nsys_rank.sh",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide",
                               "srun nsys_rank.sh my_run all python train.py   (or 0 instead of all)")},
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "GPU clocks"), "gpu_log.sh",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide",
                               "gpu_log.sh my_run torchrun --nproc-per-node 8 train.py   Beside any other recording.")},
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "Slurm job"), "slurm_job.sbatch",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "sbatch slurm_job.sbatch python train.py")},
    Template{QT_TRANSLATE_NOOP("rankscope::RecordingGuide", "Sweep"), "sweep.sh",
             QT_TRANSLATE_NOOP("rankscope::RecordingGuide",
                               "sweep.sh runs NCCL_ALGO \"Ring Tree\" torchrun train.py   One run for each setting.")}};

QString templatePath(const QString& file) { return u":/rankscope/recording/"_s + file; }

QString templateText(const QString& file) {
    QFile source(templatePath(file));
    return source.open(QIODevice::ReadOnly) ? QString::fromUtf8(source.readAll()) : QString();
}

QLabel* words(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

RecordingGuide::RecordingGuide(QWidget* parent)
    : QFrame(parent), tabs_(new QTabBar), text_(new QPlainTextEdit), note_(words({})) {
    auto* title = words(tr("No traces yet?"));
    QFont strong = title->font();
    strong.setWeight(QFont::DemiBold);
    title->setFont(strong);
    auto* what = words(tr("A run is a folder with one trace file for each rank, as the PyTorch profiler writes them "
                          "(.json, .json.gz), or with reports "
                          "of Nsight Systems (.nsys-rep, .sqlite). Record one with these lines:"));
    for (const Template& entry : kTemplates)
        tabs_->addTab(tr(entry.title));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setAccessibleName(tr("Ways to record a run"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setAccessibleName(tr("Lines that record a run"));
    text_->setTabChangesFocus(true);
    text_->setFixedHeight(kTextLines * text_->fontMetrics().lineSpacing() + 20);
    auto* copyButton = new QPushButton(tr("&Copy"));
    copyButton->setToolTip(tr("Copy these lines"));
    auto* save = new QPushButton(tr("&Save all templates…"));
    save->setToolTip(tr("Write the scripts into a folder; they use each other"));
    auto* buttons = new QHBoxLayout;
    note_->setForegroundRole(QPalette::PlaceholderText);
    buttons->addWidget(copyButton);
    buttons->addWidget(save);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(what);
    layout->addWidget(tabs_);
    layout->addWidget(text_);
    layout->addWidget(note_);
    layout->addLayout(buttons);
    connect(tabs_, &QTabBar::currentChanged, this, &RecordingGuide::show);
    connect(copyButton, &QPushButton::clicked, this, &RecordingGuide::copy);
    connect(save, &QPushButton::clicked, this, &RecordingGuide::chooseFolder);
    show(0);
}

QString RecordingGuide::shownText() const { return text_->toPlainText(); }

void RecordingGuide::show(int tab) {
    const Template& entry = kTemplates.at(static_cast<std::size_t>(tab));
    text_->setPlainText(templateText(QString::fromLatin1(entry.file)));
    note_->setText(tr(entry.note));
}

void RecordingGuide::copy() {
    QApplication::clipboard()->setText(shownText());
    note_->setText(tr("Copied."));
}

QString RecordingGuide::saveTemplates(const QString& folder) {
    for (const QFileInfo& file : QDir(templatePath({})).entryInfoList(QDir::Files)) {
        const QString target = folder + u'/' + file.fileName();
        if (QFileInfo::exists(target))
            return tr("%1 is there already; choose another folder").arg(target);
        QFile written(target);
        const QByteArray text = templateText(file.fileName()).toUtf8();
        if (!written.open(QIODevice::WriteOnly | QIODevice::NewOnly) || // follows no link
            written.write(text) != text.size())
            return tr("cannot write %1: %2").arg(target, written.errorString());
        if (text.startsWith("#!"))
            written.setPermissions(written.permissions() | QFile::ExeOwner | QFile::ExeUser | QFile::ExeGroup |
                                   QFile::ExeOther);
    }
    return {};
}

void RecordingGuide::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Save the recording templates in a folder"));
    if (folder.isEmpty())
        return;
    const QString problem = saveTemplates(folder);
    note_->setText(problem.isEmpty() ? tr("Saved in %1").arg(folder) : problem);
}

} // namespace rankscope
