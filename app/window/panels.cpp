// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline. A new one is a line here.
#include "app/window/panels.h"

#include <QCoreApplication>

#include "widgets/panels/details_panel.h"
#include "widgets/panels/flame_panel.h"
#include "widgets/panels/query_panel.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/search_panel.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

namespace {

struct PanelTexts {
    Q_DECLARE_TR_FUNCTIONS(PanelTexts)
};

} // namespace

std::vector<PanelEntry> panelEntries() {
    return {
        {u"details"_s, PanelTexts::tr("Details"), u"Alt+1"_s, PanelTexts::tr("What is known of the selected slice"),
         [](ViewState* view) { return new DetailsPanel(view); }},
        {u"range"_s, PanelTexts::tr("Range"), u"Alt+2"_s, PanelTexts::tr("What happens in the marked range"),
         [](ViewState* view) { return new RangePanel(view); }},
        {u"search"_s, PanelTexts::tr("Search"), u"Alt+3"_s, PanelTexts::tr("Find events by name, and mark them"),
         [](ViewState* view) { return new SearchPanel(view); }},
        {u"query"_s, PanelTexts::tr("Query"), u"Alt+4"_s, PanelTexts::tr("Ask the run in SQL"),
         [](ViewState* view) { return new QueryPanel(view); }},
        {u"flames"_s, PanelTexts::tr("Flame graph"), u"Alt+5"_s,
         PanelTexts::tr("The calls below what is selected, with the GPU work that they launched"),
         [](ViewState* view) { return new FlamePanel(view); }},
    };
}

} // namespace rankscope
