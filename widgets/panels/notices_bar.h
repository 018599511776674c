// SPDX-License-Identifier: GPL-3.0-or-later
// Problems as one quiet line above the content; a click opens the whole list. Nothing to say: not visible.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <QFrame>
#include <QTimer>

#include "core/base/notice.h"
#include "widgets/panels/notice_words.h"

class QLabel;
class QToolButton;
class QTreeWidget;

namespace rankscope {

class ElidedLabel;

/// Kinds of notices that the user hid, with how many of each there were then.
using HiddenNotices = std::map<std::string_view, std::int64_t>;

class NoticesBar : public QFrame {
    Q_OBJECT
public:
    explicit NoticesBar(QWidget* parent = nullptr);

    /// Problems of the data of the run on screen.
    void setNotices(std::span<const Notice> notices, NoticeRanks ranks = {});
    /// Those of the runs that are compared on screen, in place of them; nothing: none are compared. What is hidden of
    /// them comes back with the next comparison.
    void setComparedNotices(std::optional<std::vector<Notice>> notices);
    /// Notices of these kinds are not shown, unless there is another number of them now.
    void setHiddenNotices(HiddenNotices hidden);
    [[nodiscard]] const HiddenNotices& hiddenNotices() const { return hidden_; }
    /// Something that could not be done at all; shown before the notices until it is closed or cleared.
    void showError(const QString& message);
    void clearErrors();
    /// Something that was done where nothing else shows it: for some seconds, or until there is an error.
    void showDone(const QString& message);

    [[nodiscard]] QString line() const; ///< the text of the quiet line
    [[nodiscard]] bool listShown() const;
    void setListShown(bool shown);
    [[nodiscard]] int entryCount() const; ///< errors, and kinds of notices

Q_SIGNALS:
    void hiddenNoticesChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void chooseNotices();
    [[nodiscard]] const std::vector<Notice>& noticesOnScreen() const { return compared_ ? *compared_ : all_; }
    void refresh();
    void dismiss();

    QStringList errors_;
    QString done_;
    QTimer doneUntil_;
    std::vector<Notice> all_;
    NoticeRanks ranks_;
    std::vector<NoticeGroup> groups_; ///< of all those not hidden
    HiddenNotices hidden_;
    std::optional<std::vector<Notice>> compared_;
    HiddenNotices hiddenCompared_;
    ElidedLabel* line_ = nullptr;
    QToolButton* toggle_ = nullptr;
    QToolButton* close_ = nullptr;
    QTreeWidget* list_ = nullptr;
};

} // namespace rankscope
