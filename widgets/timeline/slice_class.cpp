// SPDX-License-Identifier: GPL-3.0-or-later
// What a slice of the timeline is shown as.
#include "widgets/timeline/slice_class.h"

#include <QCoreApplication>

#include "widgets/palette.h"

namespace rankscope {

namespace {

struct SliceTexts {
    Q_DECLARE_TR_FUNCTIONS(SliceTexts)
};

} // namespace

SliceClass sliceClassOf(KernelClass kernelClass) {
    switch (kernelClass) {
    case KernelClass::compute: return SliceClass::compute;
    case KernelClass::communication: return SliceClass::communication;
    case KernelClass::memory_copy: return SliceClass::memory_copy;
    case KernelClass::memory_set: return SliceClass::memory_set;
    }
    return SliceClass::other;
}

SliceClass sliceClassOf(EventKind kind) {
    switch (kind) {
    case EventKind::captured_op:
    case EventKind::cpu_op: return SliceClass::operator_call;
    case EventKind::captured_scope: return SliceClass::python_frame;
    case EventKind::graph_launch:
    case EventKind::gpu_annotation:
    case EventKind::annotation: return SliceClass::annotation;
    case EventKind::runtime:
    case EventKind::driver: return SliceClass::runtime_call;
    case EventKind::python: return SliceClass::python_frame;
    case EventKind::kernel: return SliceClass::compute;
    case EventKind::memcpy: return SliceClass::memory_copy;
    case EventKind::memset: return SliceClass::memory_set;
    case EventKind::gpu_sync:
    case EventKind::overhead:
    case EventKind::span:
    case EventKind::other: return SliceClass::other;
    }
    return SliceClass::other;
}

QString sliceClassLabel(SliceClass sliceClass) {
    switch (sliceClass) {
    case SliceClass::compute: return SliceTexts::tr("compute");
    case SliceClass::communication: return SliceTexts::tr("communication");
    case SliceClass::memory_copy: return SliceTexts::tr("memory copy");
    case SliceClass::memory_set: return SliceTexts::tr("memory set");
    case SliceClass::operator_call: return SliceTexts::tr("CPU operator");
    case SliceClass::annotation: return SliceTexts::tr("annotation");
    case SliceClass::runtime_call: return SliceTexts::tr("runtime call");
    case SliceClass::python_frame: return SliceTexts::tr("Python frame");
    case SliceClass::other: return SliceTexts::tr("other");
    }
    return {};
}

QColor hueOf(SliceClass sliceClass, bool dark) {
    switch (sliceClass) {
    case SliceClass::compute: return hueOf(KernelClass::compute, dark);
    case SliceClass::communication: return hueOf(KernelClass::communication, dark);
    case SliceClass::memory_copy: return hueOf(KernelClass::memory_copy, dark);
    case SliceClass::memory_set: return hueOf(KernelClass::memory_set, dark);
    case SliceClass::operator_call: return hue(Hue::operatorCall, dark);
    case SliceClass::annotation: return hue(Hue::annotation, dark);
    case SliceClass::runtime_call: return hue(Hue::runtimeCall, dark);
    case SliceClass::python_frame: return hue(Hue::pythonFrame, dark);
    case SliceClass::other: return hue(Hue::other, dark);
    }
    return {};
}

} // namespace rankscope
