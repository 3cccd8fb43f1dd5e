"""Two simulations in two threads: each runs at full speed, since steps do not hold Python's lock."""

import threading
import time

import sinew
from gripper import make_scene

first = sinew.Simulation(make_scene("newton-pcg"))
second = first.copy()
first.step(2)
second.step(2)


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def together():
    threads = [threading.Thread(target=sim.step, args=(10,)) for sim in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


alone = seconds(lambda: (first.step(10), second.step(10)))
both = seconds(together)
assert (first.positions == second.positions).all()
print(f"one after the other {alone:.2f} s, together {both:.2f} s")
