"""Runs the operator that the harness describes, with real Kopf. See description.go for what it reads, twin.go for the same in Go."""
import json
import os
import threading

import aiohttp
import kopf

OPERATOR = json.loads(os.environ["HARNESS_OPERATOR"])
BACKOFF = 1.0


def end_with_the_test():
    """Ends the process when the test, which holds the other end of the standard input, ends without stopping it."""
    while os.read(0, 1024):
        pass
    os._exit(3)


threading.Thread(target=end_with_the_test, daemon=True).start()


async def ask(handler, retry, kwargs):
    body = kwargs["body"]
    call = {
        "run": os.environ["HARNESS_RUN"],
        "handler": handler,
        "object": kwargs["name"],
        "uid": kwargs["uid"],
        "version": body["metadata"]["resourceVersion"],
        "reason": str(getattr(kwargs["reason"], "value", kwargs["reason"])),
        "retry": retry,
        "old": kwargs.get("old"),
        "new": kwargs.get("new"),
        "spec": body.get("spec"),
    }
    data = json.dumps(call, default=dict)
    async with aiohttp.ClientSession() as session:
        async with session.post(os.environ["HARNESS_PROMPTER"], data=data) as response:
            response.raise_for_status()
            return await response.json()


def outcome(answer):
    match answer.get("fail"):
        case "temporary":
            raise kopf.TemporaryError(answer["message"], delay=answer.get("delay", 0))
        case "permanent":
            raise kopf.PermanentError(answer["message"])
        case "arbitrary":
            raise RuntimeError(answer["message"])
    return answer.get("result")


def perform(handler):
    async def function(**kwargs):
        answer = await ask(handler, kwargs["retry"], kwargs)
        result = outcome(answer)
        for sub in answer.get("subs") or []:
            kopf.register(perform_sub(f"{handler}/{sub}"), id=sub, backoff=BACKOFF)
        return result

    return function


def perform_sub(handler):
    async def function(**kwargs):
        # The number of the attempt is not reported: sub-handlers in Go do not know theirs.
        return outcome(await ask(handler, -1, kwargs))

    return function


for h in OPERATOR["handlers"]:
    resource = OPERATOR["resource"]
    arguments = {"id": h["id"], "backoff": BACKOFF}
    full = h["id"]
    if "field" in h:
        arguments["field"] = h["field"]
        full += "/" + h["field"]
    for limit in ("retries", "timeout"):
        if limit in h:
            arguments[limit] = h[limit]
    decorator = getattr(kopf.on, h["on"])
    decorator(resource["group"], resource["version"], resource["plural"], **arguments)(perform(full))
