"""Atomic words and calls by address, each by itself."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine.atomics import cycles, fetch_add, fetch_or, look, publish, swap_if
from engine.board import U0, U1, u64
from engine.calls import address_of, array_at, call, copy_record, record_at, routine
from engine.jit import kernel

PACK = u64(32)


def at_once(function, *arguments) -> None:
    """Run a kernel that leaves the GIL on two threads, as near to the same time as can be."""
    barrier = threading.Barrier(2)

    def run() -> None:
        barrier.wait()
        function(*arguments)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- Atomics ------------------------------------------------------------------------------


@kernel
def add_often(words, times):
    for i in range(times):
        fetch_add(words, U0, U1)
        fetch_add(words, U1, (U1 << PACK) | u64(i & 1))


@kernel
def take_numbers(words, taken, times):
    """Draw numbers, and note each as often as it was drawn."""
    for _ in range(times):
        number = fetch_add(words, U0, U1)
        taken[number] += 1


@kernel
def add_up_if_unchanged(words, times):
    """A sum without any atomic addition: swap, and try again if somebody was quicker."""
    for _ in range(times):
        while True:
            seen = look(words, U0)
            if swap_if(words, U0, seen, seen + U1):
                break


@kernel
def set_bits(words, first, times):
    for i in range(times):
        fetch_or(words, u64(i), np.uint32(1) << np.uint32(first))


@kernel
def raise_flag(words, data, rounds):
    """Write data, then publish that it is there; wait until it was taken."""
    for i in range(1, rounds + 1):
        data[0] = i
        data[1] = 3 * i
        publish(words, U0, u64(i))
        while look(words, U1) != u64(i):
            pass


@kernel
def watch_flag(words, data, rounds, wrong):
    for i in range(1, rounds + 1):
        while look(words, U0) != u64(i):
            pass
        if data[0] != i or data[1] != 3 * i:
            wrong[0] += 1
        publish(words, U1, u64(i))


@kernel
def each_once(words, results):
    results[0] = fetch_add(words, U0, u64(5))
    results[1] = fetch_or(words, U0, u64(8))
    results[2] = u64(swap_if(words, U0, u64(15), u64(3)))
    results[3] = u64(swap_if(words, U0, u64(15), u64(4)))
    results[4] = look(words, U0)
    publish(words, U0, u64(9))
    fetch_add(words, U0, U0 - u64(2))


@kernel
def some_cycles(results):
    start = cycles()
    for i in range(len(results)):
        results[i] = cycles() - start


def test_each_returns_what_was_there_before():
    words, results = np.array([7, 1], np.uint64), np.zeros(5, np.uint64)
    each_once(words, results)
    # 7 + 5 = 12, 12 | 8 = 12: not 15, so nothing is swapped.
    assert results.tolist() == [7, 12, 0, 0, 12]
    assert words.tolist() == [7, 1]
    words[0] = 10
    each_once(words, results)
    assert results.tolist() == [10, 15, 1, 0, 3]
    assert words.tolist() == [7, 1]


def test_sums_of_two_threads_are_exact():
    words = np.zeros(2, np.uint64)
    add_often(words, 1)
    words[:] = 0
    at_once(add_often, words, 3_000_000)
    assert words.tolist() == [6_000_000, (6_000_000 << 32) + 3_000_000]


def test_a_number_is_drawn_once():
    words, taken = np.zeros(1, np.uint64), np.zeros(2_000_000, np.uint8)
    take_numbers(words, taken, 0)
    at_once(take_numbers, words, taken, 1_000_000)
    assert (taken == 1).all()


def test_a_swap_succeeds_for_one_thread_only():
    words = np.zeros(1, np.uint64)
    add_up_if_unchanged(words, 1)
    at_once(add_up_if_unchanged, words, 500_000)
    assert words[0] == 1_000_001


def test_bits_of_several_threads_stay():
    words = np.zeros(300_000, np.uint32)
    set_bits(words, 0, 1)
    threads = [threading.Thread(target=set_bits, args=(words, i, len(words))) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (words == 15).all()


def test_what_was_written_before_is_seen_after():
    words, data, wrong = np.zeros(2, np.uint64), np.zeros(2, np.int64), np.zeros(1, np.int64)
    raise_flag(words, data, 0)
    watch_flag(words, data, 0, wrong)
    threads = [
        threading.Thread(target=raise_flag, args=(words, data, 200)),
        threading.Thread(target=watch_flag, args=(words, data, 200, wrong)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert words.tolist() == [200, 200]
    assert wrong[0] == 0


def test_the_cycle_counter_goes_on():
    results = np.zeros(1000, np.uint64)
    some_cycles(results)
    assert (np.diff(results.astype(np.int64)) >= 0).all()
    assert results[-1] > 0


# --- Calls --------------------------------------------------------------------------------

TASK = np.dtype(
    [
        ("byte", np.uint8),
        ("factor", np.float64),
        ("numbers", np.uint64),
        ("count", np.uint64),
        ("total", np.float64),
        ("inside", [("a", np.uint16, 3), ("b", np.float32)]),
    ],
    align=True,
)
_FLOAT32, _UINT16 = np.dtype(np.float32), np.dtype(np.uint16)


@routine
def weighted_sum(address):
    task = record_at(address, TASK)
    numbers = array_at(task.numbers, task.count, _FLOAT32)
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i]
        numbers[i] = -numbers[i]
    task.total = total * task.factor


@routine
def count_calls(address):
    record_at(address, TASK).count += U1


@kernel
def call_by_address(function, tasks, times):
    for i in range(times):
        call(u64(function), tasks[i % len(tasks)])


@kernel
def copy_tasks(tasks, sources):
    copy_record(tasks[1], sources[2])
    copy_record(tasks[0].inside, sources[1].inside)


@kernel
def sum_of(address, length):
    words = array_at(u64(address), length, _UINT16)
    total = 0
    for i in range(len(words)):
        total += words[i]
    return total


def test_a_routine_reads_and_writes_the_record_it_is_given():
    numbers = np.array([1.5, 2.0, -0.25], np.float32)
    tasks = np.zeros(3, TASK)
    tasks[1]["numbers"], tasks[1]["count"], tasks[1]["factor"] = address_of(numbers), 2, 10.0
    call_by_address(weighted_sum.address(), tasks[1:2], 1)
    assert tasks[1]["total"] == 35.0
    # The third is beyond the length that was given.
    assert numbers.tolist() == [-1.5, -2.0, -0.25]
    assert not tasks[0]["total"]
    assert not tasks[2]["total"]


def test_the_address_says_which_routine_is_called():
    assert weighted_sum.address() == weighted_sum.address()
    assert weighted_sum.address() != count_calls.address()
    tasks = np.zeros(2, TASK)
    call_by_address(count_calls.address(), tasks, 7)
    assert tasks["count"].tolist() == [4, 3]


def test_arrays_at_an_address():
    words = np.arange(100, dtype=np.uint16)
    assert sum_of(address_of(words), 0) == 0
    assert sum_of(address_of(words), 100) == 4950
    assert sum_of(address_of(words[50:]), 3) == 50 + 51 + 52


@pytest.mark.parametrize("seed", range(3))
def test_records_are_copied_whole_and_nothing_beside_them(seed):
    rng = np.random.default_rng(seed)
    size = 3 * TASK.itemsize
    sources = np.frombuffer(rng.bytes(size), TASK).copy()
    tasks = np.frombuffer(rng.bytes(size), TASK).copy()
    before = tasks.tobytes()
    copy_tasks(tasks, sources)
    step, start = TASK.itemsize, TASK.fields["inside"][1]
    stop = start + TASK["inside"].itemsize
    expected = bytearray(before)
    expected[step : 2 * step] = sources.tobytes()[2 * step :]
    expected[start:stop] = sources.tobytes()[step + start : step + stop]
    assert tasks.tobytes() == bytes(expected)
