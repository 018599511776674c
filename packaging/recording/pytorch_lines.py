import os
from torch.profiler import profile, schedule
os.makedirs("my_run", exist_ok=True)
rank = os.environ.get("RANK", "0")  # as torchrun sets it
save = lambda p: p.export_chrome_trace(f"my_run/rank{rank}.json.gz")
with profile(schedule=schedule(wait=5, warmup=2, active=3, repeat=1),
             record_shapes=True, profile_memory=True,
             on_trace_ready=save) as prof:
    for batch in loader:
        train_step(batch); prof.step()
