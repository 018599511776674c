// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to go in the run.
#include "app/window/go_to_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/language.h"

namespace rankscope {

GoToDialog::GoToDialog(int rank, QWidget* parent) : QDialog(parent), field_(new QLineEdit), problem_(new QLabel) {
    setWindowTitle(tr("Go to"));
    auto* label = new QLabel(tr("&Time, step or call:"));
    label->setBuddy(field_);
    field_->setPlaceholderText(tr("12.5 ms"));
    field_->setAccessibleName(tr("Time, step or call"));
    field_->setMinimumWidth(420);
    auto* examples =
        new QLabel(tr("12.5 ms from the start  ·  step 3  ·  allreduce 17  ·  gemm #2  ·  a time stamp of the trace\n"
                      "Calls are counted on rank %1.")
                       .arg(rank));
    examples->setForegroundRole(QPalette::PlaceholderText);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Go"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(label);
    layout->addWidget(field_);
    layout->addWidget(examples);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &GoToDialog::submit);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(field_, &QLineEdit::textEdited, problem_, &QWidget::hide);
    field_->setFocus();
}

QString GoToDialog::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void GoToDialog::submit() {
    const auto place = parseGoTo(field_->text().toStdString());
    if (!place) {
        problem_->setText(messageText(place.error().message));
        problem_->show();
        return;
    }
    accept();
    Q_EMIT wanted(*place);
}

} // namespace rankscope
