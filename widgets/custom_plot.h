// SPDX-License-Identifier: GPL-3.0-or-later
// qcustomplot.h for code that is compiled without Qt's keywords: its header uses them.
#pragma once
#include <QtGlobal>

#pragma push_macro("signals")
#pragma push_macro("slots")
#pragma push_macro("foreach")
#undef signals
#undef slots
#undef foreach
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
#pragma pop_macro("signals")
#pragma pop_macro("slots")
#pragma pop_macro("foreach")
