// SPDX-License-Identifier: GPL-3.0-or-later
// The one palette of the program. Okabe and Ito, "Color Universal Design", 2008; greys and tints are ours.
#include "widgets/palette.h"

#include <atomic>
#include <optional>

#include "widgets/hue_set.h"

namespace rankscope {

using namespace Qt::Literals::StringLiterals;

static std::atomic<HueSet> chosenHues = HueSet::okabeIto;

void setHueSet(HueSet set) { chosenHues = set; }

HueSet hueSet() { return chosenHues; }

QString hueSetWord(HueSet set) {
    switch (set) {
    case HueSet::okabeIto: break;
    case HueSet::bright: return u"bright"_s;
    case HueSet::mediumContrast: return u"medium-contrast"_s;
    }
    return u"okabe-ito"_s;
}

HueSet hueSetFromWord(const QString& word) {
    for (const HueSet set : {HueSet::bright, HueSet::mediumContrast})
        if (word == hueSetWord(set))
            return set;
    return HueSet::okabeIto;
}

/// Paul Tol, "Colour Schemes", SRON/EPS/TN/09-002, 2021.
static std::optional<QColor> brightHue(Hue what) {
    switch (what) {
    case Hue::compute: return QColor(0x44, 0x77, 0xAA);
    case Hue::overlap: return QColor(0x66, 0xCC, 0xEE);
    case Hue::communication: return QColor(0xCC, 0xBB, 0x44);
    case Hue::memory:
    case Hue::good: return QColor(0x22, 0x88, 0x33);
    case Hue::annotation: return QColor(0xAA, 0x33, 0x77);
    case Hue::marker:
    case Hue::bad: return QColor(0xEE, 0x66, 0x77);
    default: return {};
    }
}

/// Likewise; its darkest blue would be lost on a dark window.
static std::optional<QColor> mediumContrastHue(Hue what, bool dark) {
    switch (what) {
    case Hue::compute: return dark ? QColor(0x66, 0x99, 0xCC) : QColor(0x00, 0x44, 0x88);
    case Hue::overlap: return dark ? QColor(0xB5, 0xD0, 0xEC) : QColor(0x66, 0x99, 0xCC);
    case Hue::communication: return QColor(0xEE, 0xCC, 0x66);
    case Hue::memory:
    case Hue::good: return QColor(0x99, 0x77, 0x00);
    case Hue::annotation: return QColor(0xEE, 0x99, 0xAA);
    case Hue::marker:
    case Hue::bad: return dark ? QColor(0xD0, 0x70, 0x82) : QColor(0x99, 0x44, 0x55);
    default: return {};
    }
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor hue(Hue what, bool dark) {
    const HueSet set = chosenHues;
    if (set != HueSet::okabeIto)
        if (const auto other = set == HueSet::bright ? brightHue(what) : mediumContrastHue(what, dark))
            return *other;
    switch (what) {
    case Hue::compute: return {0x00, 0x72, 0xB2};       // blue
    case Hue::overlap: return {0x56, 0xB4, 0xE9};       // sky blue
    case Hue::communication: return {0xE6, 0x9F, 0x00}; // orange
    case Hue::memory: return {0x00, 0x9E, 0x73};        // bluish green
    case Hue::idle: return dark ? QColor(0x4A, 0x4D, 0x52) : QColor(0xD9, 0xDB, 0xDE);
    case Hue::operatorCall: return dark ? QColor(0x5E, 0x7F, 0xA0) : QColor(0x9F, 0xB8, 0xD1);
    case Hue::annotation: return {0xCC, 0x79, 0xA7}; // reddish purple
    case Hue::runtimeCall: return dark ? QColor(0xA3, 0x8F, 0x6B) : QColor(0xD8, 0xC3, 0x9A);
    case Hue::pythonFrame: return dark ? QColor(0x7D, 0x8A, 0x6B) : QColor(0xC3, 0xCF, 0xAF);
    case Hue::other: return dark ? QColor(0x7A, 0x7E, 0x85) : QColor(0xB4, 0xB8, 0xBE);
    case Hue::selection: return dark ? QColor(0xF0, 0xE4, 0x42) : QColor(0x1A, 0x1A, 0x1A); // yellow on dark
    case Hue::marker: return {0xD5, 0x5E, 0x00};                                            // vermillion
    case Hue::good: return {0x00, 0x9E, 0x73};
    case Hue::bad: return {0xD5, 0x5E, 0x00};
    }
    return {};
}

QColor hueOf(KernelClass kernelClass, bool dark) {
    switch (kernelClass) {
    case KernelClass::compute: return hue(Hue::compute, dark);
    case KernelClass::communication: return hue(Hue::communication, dark);
    case KernelClass::memory_copy: return hue(Hue::memory, dark);
    case KernelClass::memory_set: return hue(Hue::compute, dark).lighter(dark ? 130 : 150);
    }
    return {};
}

QColor hueOf(EventKind kind, bool dark) {
    switch (kind) {
    case EventKind::kernel: return hue(Hue::compute, dark);
    case EventKind::memcpy: return hue(Hue::memory, dark);
    case EventKind::memset: return hueOf(KernelClass::memory_set, dark);
    case EventKind::gpu_annotation:
    case EventKind::graph_launch:
    case EventKind::annotation: return hue(Hue::annotation, dark);
    case EventKind::captured_scope: return hue(Hue::pythonFrame, dark);
    case EventKind::captured_op:
    case EventKind::cpu_op: return hue(Hue::operatorCall, dark);
    case EventKind::runtime:
    case EventKind::driver: return hue(Hue::runtimeCall, dark);
    case EventKind::python: return hue(Hue::pythonFrame, dark);
    case EventKind::gpu_sync:
    case EventKind::overhead:
    case EventKind::span:
    case EventKind::other: return hue(Hue::other, dark);
    }
    return {};
}

QColor textOn(const QColor& background) {
    const double luminance = 0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
    return luminance > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

static QPalette themed(QColor window, QColor base, QColor text, QColor dimmed, QColor highlight, QColor line) {
    QPalette palette(window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, window);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, window);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipBase, base);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::PlaceholderText, dimmed);
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, highlight);
    palette.setColor(QPalette::Mid, line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, dimmed);
    return palette;
}

QPalette lightPalette() {
    return themed({0xF4, 0xF5, 0xF7}, Qt::white, {0x1B, 0x1D, 0x21}, {0x6B, 0x70, 0x78}, {0x00, 0x72, 0xB2},
                  {0xC4, 0xC8, 0xCE});
}

QPalette darkPalette() {
    return themed({0x23, 0x25, 0x29}, {0x1A, 0x1C, 0x1F}, {0xE6, 0xE8, 0xEB}, {0x9A, 0xA0, 0xA8}, {0x2C, 0x8C, 0xC9},
                  {0x45, 0x49, 0x50});
}

} // namespace rankscope
