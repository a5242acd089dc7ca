"""An optimiser for `tetropt solve --algorithm 'lines:python3 examples/optimisers/climb.py'`: keeps the best and
changes a few of its genes. Needs nothing but Python."""

import json
import random
import sys

BATCH = 50


def main():
    problem = json.loads(sys.stdin.readline())
    ranges, draw = problem["ranges"], random.Random(problem["seed"])
    best, best_fitness = [draw.randint(low, high) for low, high in ranges], float("-inf")
    while True:
        batch = []
        for _ in range(BATCH):
            genes = list(best)
            for _ in range(draw.choice((0, 1, 1, 2, 4))):
                index = draw.randrange(len(genes))
                genes[index] = draw.randint(*ranges[index])
            batch.append(genes)
        print(json.dumps({"ask": batch}), flush=True)
        answer = json.loads(sys.stdin.readline())
        for genes, fitness in zip(batch, answer["tell"]):
            if fitness >= best_fitness:
                best, best_fitness = genes, fitness
        if answer["stop"]:
            return


main()
