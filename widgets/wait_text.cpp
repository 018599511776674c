// SPDX-License-Identifier: GPL-3.0-or-later
// Causes of waits in the user's language.
#include "widgets/wait_text.h"

#include <QCoreApplication>

namespace rankscope {

QString waitCauseText(WaitCause cause) {
    const auto text = [](const char* word) { return QCoreApplication::translate("WaitCause", word); };
    switch (cause) {
    case WaitCause::computation: return text(QT_TRANSLATE_NOOP("WaitCause", "computation"));
    case WaitCause::memory_copy: return text(QT_TRANSLATE_NOOP("WaitCause", "memory copy"));
    case WaitCause::host: return text(QT_TRANSLATE_NOOP("WaitCause", "host"));
    case WaitCause::data_loading: return text(QT_TRANSLATE_NOOP("WaitCause", "data loading"));
    case WaitCause::garbage_collection: return text(QT_TRANSLATE_NOOP("WaitCause", "garbage collection"));
    case WaitCause::allocation: return text(QT_TRANSLATE_NOOP("WaitCause", "allocation"));
    case WaitCause::launch: return text(QT_TRANSLATE_NOOP("WaitCause", "launch"));
    case WaitCause::synchronisation: return text(QT_TRANSLATE_NOOP("WaitCause", "synchronisation"));
    case WaitCause::transfer: return text(QT_TRANSLATE_NOOP("WaitCause", "transfer"));
    case WaitCause::gap: return text(QT_TRANSLATE_NOOP("WaitCause", "gap between operations"));
    }
    return {};
}

} // namespace rankscope
