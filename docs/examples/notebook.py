# SPDX-License-Identifier: GPL-3.0-or-later
# A notebook in cells (# %%), for editors that run them one by one; python3 notebook.py runs all.

# %% [markdown]
# How many steps does an all-reduce take on a ring of 64 nodes, and how far is that from the lower bound?

# %%
import rwa

print("librwa", rwa.version())
for wavelengths in (1, 2, 4, 8, 16):
    plan = rwa.plan(rwa.Network("ring:64", wavelengths=wavelengths), "all-reduce", message=1 << 20)
    print(f"w = {wavelengths:2}: {plan.steps:3} steps, bound {plan.bound:3}, "
          f"{plan.time_seconds * 1e3:7.3f} ms, {plan.scheme}")

# %% [markdown]
# The columns of a schedule are views of the library's memory: lightpaths of each step, and how many channels they use.

# %%
schedule = rwa.plan(rwa.Network("ring:64", wavelengths=8), scheme="wavefront").schedule.expand()
for step in range(1, schedule.steps + 1):
    rows = schedule.step(step)
    print(f"step {step}: {rows.stop - rows.start} lightpaths on {len(set(schedule.channel[rows].tolist()))} channels")

# %% [markdown]
# A fibre pair fails in step 2.  The repaired plan passes the independent checker; a controller pushes only what
# changes.

# %%
repaired = schedule.repair(["5-6"], at_step=2)
print(repaired.steps, "steps after the failure,", "right" if rwa.check(repaired.schedule) else "wrong")
for step in range(1, repaired.steps + 1):
    settings = repaired.schedule.settings(step)
    print(f"step {step}: push {settings.changes} of {len(settings.records)} settings")

# %% [markdown]
# A scheme of one's own: blocks go round in pairs of opposite neighbours.  The library finds routes and wavelengths.

# %%
n = 16
transfers = [(step, node, (node + way) % n, (node - way * (step - 1)) % n)
             for step in range(1, n // 2 + 1) for node in range(n) for way in (1, -1) if (step, way) != (n // 2, -1)]
own = rwa.plan_transfers(rwa.Network("ring:16", wavelengths=2), "all-gather", transfers, scheme="both-ways")
print(own)
print("The bound:", rwa.bounds(own.schedule.network)[0].proof)

# %% [markdown]
# Wavelengths for all pairs of a national network, with a proof that fewer do not suffice.

# %%
answer = rwa.assign(rwa.Network("nsfnet14-21"))
print(answer.wavelengths, "wavelengths,", "optimal" if answer.optimal else f"bound {answer.bound}")
