// SPDX-License-Identifier: GPL-3.0-or-later
// The panels below the timeline. A new one is a line here.
#include "app/panels.h"

#include <QCoreApplication>

#include "widgets/panels/details_panel.h"
#include "widgets/panels/query_panel.h"
#include "widgets/panels/range_panel.h"
#include "widgets/panels/search_panel.h"

namespace rankscope {

std::vector<PanelEntry> panelEntries() {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Panels", text); };
    return {
        {tr("Details"), [](ViewState* view) { return new DetailsPanel(view); }},
        {tr("Range"), [](ViewState* view) { return new RangePanel(view); }},
        {tr("Search"), [](ViewState* view) { return new SearchPanel(view); }},
        {tr("Query"), [](ViewState* view) { return new QueryPanel(view); }},
    };
}

} // namespace rankscope
