// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the address of a run on another machine.
#include "app/window/remote_dialog.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/remote/remote_path.h"
#include "widgets/language.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "host:/path", as scp has it, is an address too.
QString addressOf(QString text) {
    text = text.trimmed();
    const qsizetype colon = text.indexOf(":/"_L1);
    if (colon > 0 && !text.startsWith("ssh://"_L1) && !text.left(colon).contains(u'/'))
        return u"ssh://"_s % text.left(colon) % text.mid(colon + 1);
    return text;
}

} // namespace

RemoteDialog::RemoteDialog(const QStringList& known, QWidget* parent)
    : QDialog(parent), field_(new QLineEdit), problem_(new QLabel) {
    setWindowTitle(tr("Open a run on another machine"));
    auto* label = new QLabel(tr("&Address:"));
    label->setBuddy(field_);
    field_->setPlaceholderText(u"ssh://login.example.org/data/run"_s);
    field_->setAccessibleName(tr("Address"));
    field_->setMinimumWidth(480);
    auto* completer = new QCompleter(known, field_);
    completer->setFilterMode(Qt::MatchContains);
    field_->setCompleter(completer);
    auto* hint = new QLabel(tr("ssh://[user@]host[:port]/path. A host of your ssh configuration will do.\n"
                               "ssh logs in with its keys and its agent, and asks for nothing here. Rankscope makes "
                               "digests there, and only they travel."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setWordWrap(true);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(label);
    layout->addWidget(field_);
    layout->addWidget(hint);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &RemoteDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(field_, &QLineEdit::textEdited, problem_, &QWidget::hide);
    field_->setFocus();
}

QString RemoteDialog::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void RemoteDialog::submit() {
    const auto remote = parse_remote_path(addressOf(field_->text()).toStdString());
    if (!remote) {
        problem_->setText(messageText(remote.error().message));
        problem_->show();
        return;
    }
    accept();
    Q_EMIT wanted(QString::fromStdString(remote->text().string()));
}

} // namespace rankscope
