"""The operator that is measured, as it is written with Kopf: with one handler of creations, or as many as BENCH_HANDLERS says."""
import os

import kopf

PLURAL = os.environ["BENCH_PLURAL"]


def made(spec, **_):
    return {"text": f"{len(spec['items'])} items"}


count = int(os.environ["BENCH_HANDLERS"])
for name in ["make"] if count == 1 else [f"make{i + 1}" for i in range(count)]:
    kopf.on.create("bench.kopf.dev", "v1", PLURAL, id=name)(made)
