// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query_examples.h"

namespace rankscope {

const std::vector<QueryExample>& query_examples() {
    static const std::vector<QueryExample> examples{
        {"Which kernels take the most time?",
         R"(select name, count(*) as calls, time_text(sum(dur_ns)) as total, time_text(avg(dur_ns)) as mean
from kernel
group by name
order by sum(dur_ns) desc
limit 20)"},
        {"What is each rank's GPU time made of?",
         R"(select rank, class, count(*) as events, sum(dur_ns) / 1e6 as total_ms
from event
where class is not null
group by rank, class)"},
        {"Which rank do the others wait for?",
         R"(select rank, times_last, collectives, lag_ns / 1e6 as lag_ms, wait_caused_ns / 1e6 as wait_caused_ms
from rank
order by wait_caused_ns desc)"},
        {"Who waits for whom, in which step?",
         R"(select step, rank, for_rank, origin_rank, cause, count(*) as calls, sum(wait_ns) / 1e6 as wait_ms
from waiting
group by step, rank, for_rank, origin_rank, cause
order by wait_ms desc
limit 20)"},
        {"What does the critical path of a step run over?",
         R"(select step, rank, class, name, count(*) as pieces, sum(dur_ns) / 1e6 as ms, min(start_ns) as start_ns
from critical_path
group by step, rank, class, name
order by ms desc
limit 20)"},
        {"Which collective calls lost the most time, and who came last?",
         R"(select c.call, c.name, c.group_description, c.lag_ns / 1e3 as lag_us, c.last_rank as rank, m.start_ns
from collective c
join collective_member m on m.run = c.run and m.call = c.call and m.rank = c.last_rank
order by c.lag_ns desc
limit 20)"},
        {"How fast are collectives of each size?",
         R"(select kind, bytes, count(*) as calls, percentile(busbw_gb_s, 50) as median_gb_s, min(busbw_gb_s) as slowest_gb_s
from collective
where busbw_gb_s is not null
group by kind, bytes
order by kind, bytes)"},
        {"How much do steps vary?",
         R"(select rank, count(*) as steps, percentile(dur_ns, 50) / 1e6 as median_ms, percentile(dur_ns, 95) / 1e6 as p95_ms, max(dur_ns) / 1e6 as longest_ms
from step
group by rank)"},
        {"Which steps expose the most communication?",
         R"(select rank, step, start_ns, exposed_communication_ns / 1e6 as exposed_ms, waiting_ns / 1e6 as waiting_ms
from step
order by exposed_communication_ns desc
limit 20)"},
        {"Which operators does the GPU's time belong to?",
         R"(select o.name, count(*) as kernels, sum(k.dur_ns) / 1e6 as gpu_ms
from kernel k
join operator o on o.id = k.operator_id
group by o.name
order by gpu_ms desc
limit 20)"},
        {"Which kernels start long after their launch?",
         R"(select name, count(*) as kernels, percentile(launch_delay_ns, 50) / 1e3 as median_us, percentile(launch_delay_ns, 99) / 1e3 as p99_us
from kernel
where launch_delay_ns is not null
group by name
order by median_us desc
limit 20)"},
        {"Which kernel is slower on one rank than on the others?",
         R"(with mean as (select name, rank, avg(dur_ns) as ns, count(*) as calls from kernel where class = 'compute' group by rank, name)
select name, max(ns) / min(ns) as ratio, max(ns) / 1e3 as slowest_us, min(ns) / 1e3 as fastest_us, sum(calls) as calls
from mean
group by name
having count(*) > 1
order by ratio desc
limit 20)"},
        {"Where is a stream idle for longest?",
         R"(select rank, lane, end_ns as start_ns, (next - end_ns) / 1e3 as gap_us, name as after
from (select rank, lane, name, end_ns, lead(start_ns) over (partition by rank, lane order by start_ns) as next from kernel where rank = 0)
where next > end_ns
order by gap_us desc
limit 20)"},
        {"How much communication is hidden behind computation?", R"(with time as (
  select rank,
         covered_ns(start_ns, dur_ns) as busy,
         covered_ns(start_ns, dur_ns) filter (where class = 'compute') as compute,
         covered_ns(start_ns, dur_ns) filter (where class = 'communication') as communication
  from kernel
  group by rank)
select rank, communication / 1e6 as communication_ms, 100.0 * (compute + communication - busy) / communication as hidden_percent
from time
where communication > 0)"},
        {"How often do many short kernels run?",
         R"(select rank, count(*) filter (where dur_ns < 10000) as short, count(*) as kernels, 100.0 * count(*) filter (where dur_ns < 10000) / count(*) as percent
from kernel
group by rank)"},
        {"Which kernels changed between two runs?",
         R"(with total as (select run, name, sum(dur_ns) as ns, count(*) as calls from kernel group by run, name)
select b.name, b.calls as calls_before, t.calls as calls_after, (t.ns - b.ns) / 1e6 as difference_ms, 100.0 * (t.ns - b.ns) / b.ns as percent
from total b
join total t on t.name = b.name and t.run = 1
where b.run = 0
order by abs(t.ns - b.ns) desc
limit 20)",
         true}};
    return examples;
}

} // namespace rankscope
