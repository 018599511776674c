// SPDX-License-Identifier: GPL-3.0-or-later
// The screens: made of their table, switched, and given the analysis they show.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include <QObject>

#include "app/window/screens.h"
#include "core/compare/analysed_run.h"

class QStackedWidget;
class QWidget;

namespace rankscope {

class AnalysisScreen;
class CommandTable;
class RunHeader;
class ViewState;

class ScreenController : public QObject {
    Q_OBJECT
public:
    /// view: of the run on screen, which may lack some of the screens. own: the pages that the table does not make, by
    /// id. start: the page while no run is open.
    ScreenController(const ViewState& view, const std::map<QString, QWidget*>& own, QWidget* start,
                     QObject* parent = nullptr);

    [[nodiscard]] RunHeader& header() const { return *header_; }    ///< with their tabs
    [[nodiscard]] QStackedWidget& pages() const { return *pages_; } ///< the start page, then the screens in their order
    [[nodiscard]] AnalysisScreen* at(const QString& id) const;      ///< nullptr: no such screen, or a page of its own
    [[nodiscard]] QString shown() const; ///< of the current tab, also while the start page hides it

    void addCommands(CommandTable& commands);
    void usePlaces(CommandTable& commands); ///< the screens' own commands
    void setRunOpen(bool open);             ///< holds from the next show()
    void show(const QString& id);           ///< one that is not there: nothing. Keys go to it from now on
    void bring(const QString& id);          ///< likewise, but who works beside the screens keeps the keys
    void showAgain() { bring(shown()); }    ///< the current one, of another run
    [[nodiscard]] bool hasKeys() const;     ///< nobody works beside the screens, in the list of runs say
    /// Keys go to the screen that is shown; to be called again when its content comes.
    void focusPage();
    /// For the run in view: a screen that is made for such runs comes first; one that is not there for it leads to the
    /// overview.
    void offer();
    void pass(const std::shared_ptr<const AnalysedRun>& analysed); ///< of the run in view

Q_SIGNALS:
    void changed(const QString& id); ///< shown, perhaps again
    void offered();
    // Of whichever screen; see AnalysisScreen.
    void eventActivated(int rank, rankscope::EventIndex event);
    void evidenceAsked(int rank, rankscope::EventIndex event, rankscope::TimeRange range);
    void instancesAsked(const QString& query);

private:
    void turnTo(const QString& id);
    [[nodiscard]] int indexOf(const QString& id) const; ///< -1: no such screen
    [[nodiscard]] bool isThere(const ScreenEntry& entry) const;

    const ViewState& view_;
    std::vector<ScreenEntry> entries_ = screenEntries();
    RunHeader* header_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    bool runOpen_ = false;
};

} // namespace rankscope
