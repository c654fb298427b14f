"""Variables summed out of products of factors in log space, one task after the other: each has its own factors."""

import numpy as np

from likely.core.numerics import Flags, Floats, Ints
from likely.kernels.arithmetic.elementary import exp_below
from likely.kernels.compiler import interpreted_while_small, njit


@njit(nogil=True, cache=True)
def name_variables(first: int, stop: int, scope: Ints, scopes: Ints, names: Ints, places: Ints) -> int:
    """How many variables the factors of a task have: names[:how many] in order, and the place of each among these."""
    many = 0
    for variable in range(len(places)):
        places[variable] = -1
    for f in range(first, stop):
        for k in range(scopes.shape[1]):
            if scopes[scope[f], k] >= 0:
                places[scopes[scope[f], k]] = 0
    for variable in range(len(places)):
        if places[variable] == 0:
            names[many] = variable
            places[variable] = many
            many += 1
    return many


@interpreted_while_small
@njit(nogil=True, cache=True)
def plan(
    first: Ints,
    stop: Ints,
    scope: Ints,
    scopes: Ints,
    sizes: Ints,
    order: Ints,
    needs: Floats,
    room: Floats,
    beside: Flags,
    waiting: Flags,
    names: Ints,
    places: Ints,
) -> None:
    """In which order to sum out: order (tasks, variables), by their places among those of the task; -1 after the last.

    The factors of a task are those from `first` to before `stop`; each has one of the scopes (scopes, width), which are
    variables, -1 after the last. needs (tasks, 3): how many entries the results of all steps have together, how many
    the product of the largest step has, and how many variables that has. The rest, (variables,) each and `beside`
    (variables, variables), is to work in: arrays that a loop makes itself take long to compile.
    """
    for t in range(len(first)):
        many = name_variables(first[t], stop[t], scope, scopes, names, places)
        for a in range(many):
            waiting[a] = True
            for b in range(many):
                beside[a, b] = False
        for f in range(first[t], stop[t]):
            for i in range(scopes.shape[1]):
                for j in range(scopes.shape[1]):
                    a, b = scopes[scope[f], i], scopes[scope[f], j]
                    if a >= 0 and b >= 0:
                        beside[places[a], places[b]] = True
        for a in range(many):
            room[a] = 1.0
            for b in range(many):
                if beside[a, b]:
                    room[a] *= sizes[names[b]]
        for step in range(many):
            # the variable next to the fewest values of others goes first: what remains is smallest
            best = -1
            for a in range(many):
                if waiting[a] and (best < 0 or room[a] < room[best]):
                    best = a
            waiting[best] = False
            order[t, step] = best
            needs[t, 0] += room[best] / sizes[names[best]]
            if room[best] > needs[t, 1]:
                needs[t, 1], needs[t, 2] = room[best], 0.0
                for a in range(many):
                    needs[t, 2] += beside[best, a]
            for a in range(many):
                beside[a, best] = False
            for a in range(many):
                if beside[best, a]:
                    room[a] = 1.0
                    for b in range(many):
                        beside[a, b] = beside[a, b] or beside[best, b]
                        if beside[a, b]:
                            room[a] *= sizes[names[b]]
        if many < len(sizes):
            order[t, many] = -1


@njit(nogil=True, cache=True)
def sum_tasks(
    first: Ints,
    stop: Ints,
    scope: Ints,
    place: Ints,
    scopes: Ints,
    sizes: Ints,
    order: Ints,
    values: Floats,
    free: int,
    out: Floats,
    terms: Floats,
    sums: Floats,
    names: Ints,
    places: Ints,
    strides: Ints,
    steps: Ints,
    alive: Flags,
) -> None:
    """out (tasks, classes) += the log of the sum over all variables of the product of each task's factors.

    values (entries, classes): the factors, each from its `place` on, the last variable of its scope running fastest;
    from `free` on there is room for the results of steps. The rest is to work in: terms (most values of a variable *
    classes,), sums (2, classes), names and places (variables,), strides (factors, variables), steps (5, factors) and
    alive (factors,); here these are as many as the factors of any task and one more for each variable.
    """
    classes, top, total = values.shape[1], sums[0], sums[1]
    at, near, here, others, value = steps[0], steps[1], steps[2], steps[3], steps[4]
    for t in range(len(first)):
        many = name_variables(first[t], stop[t], scope, scopes, names, places)
        factors, end = stop[t] - first[t], free
        for f in range(factors):
            at[f], alive[f], step = place[first[t] + f], True, 1
            for a in range(many):
                strides[f, a] = 0  # of the variables that a factor does not have
            for k in range(scopes.shape[1] - 1, -1, -1):
                variable = scopes[scope[first[t] + f], k]
                if variable >= 0:
                    strides[f, places[variable]] = step
                    step *= sizes[variable]
        for step in range(many):
            best, held, beside = order[t, step], 0, 0
            size = sizes[names[best]]
            for f in range(factors):
                if alive[f] and strides[f, best] > 0:
                    near[held], here[held], alive[f] = f, at[f], False
                    held += 1
            at[factors], alive[factors], entries = end, True, 1
            for a in range(many - 1, -1, -1):
                strides[factors, a] = 0
                for k in range(held):
                    if a != best and strides[near[k], a] > 0 and strides[factors, a] == 0:
                        strides[factors, a], others[beside], value[beside] = entries, a, 0
                        entries *= sizes[names[a]]
                        beside += 1
            for _ in range(entries):
                for c in range(classes):
                    top[c] = -np.inf
                for v in range(size):
                    for c in range(classes):
                        terms[v * classes + c] = 0.0
                    for k in range(held):
                        row = here[k] + v * strides[near[k], best]
                        for c in range(classes):
                            terms[v * classes + c] += values[row, c]
                    for c in range(classes):
                        top[c] = max(top[c], terms[v * classes + c])
                for c in range(classes):
                    top[c] = top[c] if top[c] > -np.inf else 0.0
                    total[c] = 0.0
                for v in range(size):
                    for c in range(classes):
                        total[c] += exp_below(terms[v * classes + c] - top[c])
                for c in range(classes):
                    values[end, c] = top[c] + np.log(total[c])
                end += 1
                for b in range(beside):  # the next values of the others, the last running fastest
                    back = value[b] + 1 == sizes[names[others[b]]]
                    value[b] = 0 if back else value[b] + 1
                    for k in range(held):
                        move = strides[near[k], others[b]]
                        here[k] += move * (1 - sizes[names[others[b]]]) if back else move
                    if not back:
                        break
            factors += 1
        for f in range(factors):
            if alive[f]:
                for c in range(classes):
                    out[t, c] += values[at[f], c]
