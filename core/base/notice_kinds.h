// SPDX-License-Identifier: GPL-3.0-or-later
// Every notice that there is: its code, how much it matters, what it means and what to do. docs/notices.md is made of
// it.
#pragma once
#include <array>
#include <string_view>

namespace rankscope {

/// lost: something recorded is not shown. changed: it is shown otherwise than recorded. limited: some numbers cannot be
/// given. told: nothing is wrong.
enum class NoticeSeverity : unsigned char { lost, changed, limited, told };

struct NoticeKind {
    std::string_view code;
    NoticeSeverity severity;
    std::string_view meaning;
    std::string_view what_to_do;
};

/// By code.
inline constexpr auto kNoticeKinds = std::to_array<NoticeKind>({
    {"broken_config", NoticeSeverity::limited,
     "A configuration file, or a part of it, is not valid or lacks its values.",
     "Correct the file; the traces are not affected."},
    {"clocks_apart", NoticeSeverity::limited, "The clocks of the ranks are days apart.",
     "Check the time service of the nodes. Compare times of different ranks only where collectives align them."},
    {"config_too_large", NoticeSeverity::limited,
     "A configuration file is larger than any configuration; it was not read.",
     "Remove it from the run's folder, or shorten it."},
    {"cut_device", NoticeSeverity::changed,
     "The text of nsys stats cuts off the device's number; its rows count for device 0.", "Print the report as CSV."},
    {"damaged_header", NoticeSeverity::lost, "A key beside the events of a trace is not valid JSON; it was ignored.",
     "Record again if the key matters."},
    {"damaged_table", NoticeSeverity::lost, "A part of a table of the report cannot be read.",
     "Export the report again."},
    {"digests", NoticeSeverity::limited, "Some ranks are digests, which keep a part of the CPU's events.",
     "Open the full traces to see all CPU events."},
    {"duplicate_rank", NoticeSeverity::lost, "A rank was recorded more than once; one file is shown.",
     "Move the other recordings to folders of their own."},
    {"execution_trace_by_order", NoticeSeverity::changed,
     "The execution trace numbers its operators otherwise than the trace; they were joined by thread, order and name.",
     "Nothing. Record both in one run to have them joined by number."},
    {"execution_trace_unreadable", NoticeSeverity::lost, "The execution trace beside a trace cannot be read.",
     "Record it again."},
    {"execution_trace_unrelated", NoticeSeverity::limited, "The execution trace beside a trace is of another program.",
     "Move it elsewhere."},
    {"implausible_base_time", NoticeSeverity::changed,
     "The base time of a trace is one that no clock shows; it was not added.",
     "Nothing; times of the run are relative."},
    {"iteration_not_found", NoticeSeverity::limited, "A step asked for by --iterations is not in a trace.",
     "Ask for steps that the message lists."},
    {"malformed_events", NoticeSeverity::lost, "Events that cannot be read, or have impossible times, are not shown.",
     "Record again if there are many."},
    {"memory_budget", NoticeSeverity::told,
     "The run needs more than the memory budget; some ranks are read from disk when looked at.",
     "Nothing, or raise --memory."},
    {"memory_budget_exceeded", NoticeSeverity::told,
     "The run needs more than the memory budget, and there is no room on disk.",
     "Free disk space, raise --memory, or open digests."},
    {"missing_ranks", NoticeSeverity::limited,
     "Some ranks of the job have no trace here; totals and means are over the others.",
     "Copy the missing traces into the folder."},
    {"missing_table", NoticeSeverity::lost, "A table of the report is missing.", "Export the report again."},
    {"negative_durations", NoticeSeverity::changed, "Events that end before they start count as instants.",
     "Nothing, if they are few."},
    {"newer_schema", NoticeSeverity::limited, "The report was exported with a newer schema than the newest known one.",
     "Look for an update; export with an older nsys where something is missing."},
    {"no_events", NoticeSeverity::lost, "A trace holds no events.", "Record again; see docs/recording.md."},
    {"no_gpu_events", NoticeSeverity::limited, "Some ranks have no GPU events.",
     "Record with ProfilerActivity.CUDA, or --trace=cuda."},
    {"no_host_events", NoticeSeverity::limited, "The text of nsys stats has no launches and no ranges.",
     "Open the report or its SQLite export instead."},
    {"no_session_start", NoticeSeverity::limited, "The report does not say when it started.",
     "Nothing; several reports are aligned by their collectives."},
    {"no_times", NoticeSeverity::limited, "An execution trace has no times; its operators are shown in order.",
     "Open the Kineto trace beside it for times."},
    {"not_a_table", NoticeSeverity::lost, "An object of the database is a view or the like, which is never run.",
     "Export the report with nsys itself."},
    {"not_a_trace", NoticeSeverity::lost, "A file is named like a trace of a rank, but is none.",
     "Remove or rename it."},
    {"of_newer_version", NoticeSeverity::told, "A digest carries a notice that this version does not know.",
     "Open it with the version that made it."},
    {"open_ranges", NoticeSeverity::changed, "NVTX ranges that were never closed are shown up to the last event.",
     "Close them in the program."},
    {"other_processes", NoticeSeverity::lost, "Processes of the report that do no GPU work are not shown.", "Nothing."},
    {"rank_by_name", NoticeSeverity::changed,
     "A dump's name and the groups in it say different ranks; the name was taken.",
     "Keep the names that PyTorch gives the dumps, and the dumps of one job in a folder."},
    {"rank_by_order", NoticeSeverity::changed,
     "Neither a file nor its name tells its rank; its place in the folder was taken.",
     "Name the files by rank (rank3.json)."},
    {"ranks_by_device", NoticeSeverity::changed,
     "The processes and devices of one report were taken as ranks, by device.", "Nothing, if each process is a rank."},
    {"repaired_text", NoticeSeverity::changed, "Parts of a file are not valid JSON; they were repaired while reading.",
     "Nothing."},
    {"second_workload_card", NoticeSeverity::limited, "A second workload card lies beside the traces; it is not used.",
     "Keep one card per run."},
    {"several_sources", NoticeSeverity::told, "The folder holds captures of several kinds; one kind is shown.",
     "Open the other with --profile-mode, or from the window's list."},
    {"stale_export", NoticeSeverity::told, "An export is older than its report, and nsys is not installed.",
     "Install nsys, or export again."},
    {"stray_events", NoticeSeverity::lost, "Events days away from all others are not shown.",
     "Nothing, if they are few."},
    {"sums_only", NoticeSeverity::limited, "The report has sums of kernels without times: a kernel table, no timeline.",
     "Print cuda_gpu_trace, or open the report itself."},
    {"too_many_devices", NoticeSeverity::lost, "A report speaks of more devices than any machine has.",
     "Export the report again."},
    {"truncated_file", NoticeSeverity::lost, "A file ends early or is damaged; what follows the damage is missing.",
     "Record again, or copy the file again."},
    {"unfinished_file", NoticeSeverity::lost, "A database is being written, or its export was interrupted.",
     "Wait until the export is finished, or export again."},
    {"unknown_category", NoticeSeverity::limited,
     "Events of an accelerator have a category that this version does not know; they are shown, and no sum counts "
     "them.",
     "Report the category, with an example of its events."},
    {"unpaired_events", NoticeSeverity::lost, "Begin or end events without their counterpart are not shown.",
     "Nothing, if they are few."},
    {"unreadable_config", NoticeSeverity::limited, "A configuration file cannot be read.", "Check its permissions."},
    {"unreadable_folder", NoticeSeverity::lost, "A folder cannot be listed; traces in it are missing.",
     "Check its permissions."},
    {"unreadable_file", NoticeSeverity::lost, "A trace cannot be read.",
     "See the message; check permissions, or record again."},
    {"whole_graphs", NoticeSeverity::limited,
     "CUDA graphs were recorded as a whole; what runs inside counts as computation.",
     "Record with --cuda-graph-trace=node."},
    {"world_size_too_small", NoticeSeverity::changed, "The traces say fewer ranks than are there.", "Nothing."},
});

} // namespace rankscope
