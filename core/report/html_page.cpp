// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_page.h"

#include <fmt/format.h>

#include "core/report/html_timeline.h"
#include "core/report/markup.h"

namespace rankscope {
namespace {

/// The palette of the window (widgets/palette.cpp), light and dark; paper is light.
constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--panel:#f4f5f7;--text:#1b1d21;--dim:#6b7078;--line:#d9dbde;--idle:#d9dbde;--base:#0072b2;--test:#e69f00;
--good:#00795a;--bad:#b84d00;--goodbg:#d8f0e8;--badbg:#fbe3d2}
@media (prefers-color-scheme:dark){:root{--bg:#1a1c1f;--panel:#232529;--text:#e6e8eb;--dim:#9aa0a8;--line:#3a3d43;--idle:#4a4d52;--base:#2c8cc9;
--good:#35c79d;--bad:#f08a4b;--goodbg:#14392f;--badbg:#44291a}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1080px;padding:24px 20px 60px;background:var(--bg);color:var(--text);font:14px/1.5 system-ui,"DejaVu Sans",sans-serif}
h1{font-size:24px;margin:0 0 4px}h2{font-size:19px;margin:36px 0 8px;border-bottom:2px solid var(--line);padding-bottom:4px}h3{font-size:15px;margin:22px 0 6px}
.dim{color:var(--dim)}.lead{background:var(--panel);border-left:4px solid var(--base);padding:10px 14px;margin:12px 0;font-size:15px}
.lead+ul{margin-top:6px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:6px 0}
th,td{text-align:left;padding:3px 10px 3px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word;max-width:420px}td:first-child{overflow-wrap:anywhere;min-width:150px}th{color:var(--dim);font-weight:600}
.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.badge{padding:1px 8px;border-radius:9px;background:var(--panel);white-space:nowrap}
.badge.better{color:var(--good);background:var(--goodbg)}.badge.worse{color:var(--bad);background:var(--badbg)}
svg{width:100%;height:auto;display:block;margin:8px 0;font-size:12px}svg text{fill:var(--text)}svg .tick{fill:var(--dim);font-size:11px}svg .strong{font-weight:600}
.grid{stroke:var(--line);stroke-width:1}.axis,.link{stroke:var(--dim);stroke-width:1}
rect.compute{fill:#0072b2}rect.comm{fill:#e69f00}rect.copy{fill:#009e73}rect.idle{fill:var(--idle)}rect.total{fill:var(--dim)}
rect.worse{fill:#d55e00}rect.better{fill:#009e73}rect.baseline{fill:var(--base);fill-opacity:.55}rect.test{fill:var(--test);fill-opacity:.6}circle.baseline{fill:var(--base)}circle.test{fill:var(--test)}rect.other1,circle.other1{fill:#cc79a7}rect.other2,circle.other2{fill:#009e73}rect.other3,circle.other3{fill:#d55e00}
.changed{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:3 2}.median{stroke-width:2}.median.baseline{stroke:var(--base)}.median.test{stroke:var(--test)}
.grid2{display:grid;grid-template-columns:repeat(auto-fill,minmax(330px,1fr));gap:12px 24px}figure{margin:0}figcaption{font-size:12px;overflow-wrap:anywhere}
.key{display:inline-block;width:11px;height:11px;margin:0 5px 0 12px}.key.baseline{background:var(--base)}.key.test{background:var(--test)}
@media print{:root{--bg:#fff;--panel:#fff;--text:#000;--dim:#555;--line:#ccc;--idle:#ddd;--base:#0072b2;--good:#00795a;--bad:#b84d00;--goodbg:#fff;--badbg:#fff}
tr,svg,figure,.lead{break-inside:avoid}h2,h3{break-after:avoid}.scroll{overflow:visible}body{max-width:none;padding:0;font-size:11px}th,td{padding-right:6px;max-width:260px;overflow-wrap:anywhere}td:first-child{min-width:90px}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

} // namespace

std::string html_page(std::string_view title, std::string_view body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src '{}'\">\n"
        "<title>{}</title><style>{}{}</style></head><body>\n{}</body></html>\n",
        timeline_script_hash(), escaped_markup(title), kPageStyle, timeline_style(), body);
}

} // namespace rankscope
