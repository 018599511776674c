// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does that takes more than one event: dropping files on a window, and choosing a file.
#pragma once
#include <memory>

#include <QApplication>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QUrl>

namespace rankscope {

inline std::unique_ptr<QMimeData> urlsOf(const QStringList& paths) {
    auto data = std::make_unique<QMimeData>();
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data->setUrls(urls);
    return data;
}

/// Dragged in and dropped in the middle. Without the first event the second goes nowhere. False: not taken.
inline bool dropOn(QWidget& target, const QMimeData& data) {
    const QPoint middle = target.rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    QDropEvent dropped(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &dropped);
    return dropped.isAccepted();
}

inline bool dropOn(QWidget& target, const QStringList& paths) { return dropOn(target, *urlsOf(paths)); }

/// Types the name into the next file dialog and clicks Save. The dialog keeps the loop to itself, so this waits beside
/// it. A dialog that never gets the keyboard is closed after ten seconds: the test fails and does not hang.
class FileChooser {
public:
    explicit FileChooser(const QString& file) {
        look_.callOnTimeout([this, file] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(widget); dialog != nullptr && dialog->isVisible())
                    return answer(*dialog, file);
        });
        look_.start(50);
    }
    /// Of the dialog; empty before it was shown.
    [[nodiscard]] QString title() const { return title_; }
    /// What the person did: a text typed and a button clicked.
    [[nodiscard]] int actions() const { return actions_; }

private:
    void answer(QFileDialog& dialog, const QString& file) {
        title_ = dialog.windowTitle();
        auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        // Before it has the keyboard the dialog takes each folder on the way of the path for the choice itself.
        if (!name->hasFocus()) {
            if (!visible_.isValid())
                visible_.start();
            if (visible_.hasExpired(10'000))
                dialog.reject();
            return;
        }
        look_.stop();
        name->selectAll();
        QTest::keyClicks(name, file);
        actions_ = 2;
        QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save), Qt::LeftButton);
    }
    QTimer look_;
    QElapsedTimer visible_;
    QString title_;
    int actions_ = 0;
};

} // namespace rankscope
