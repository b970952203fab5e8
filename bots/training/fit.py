"""Nets as they are trained: floats, three layers, Adam; and the whole numbers that the brains play with."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from bots.brains.net import HIDDEN, ONE_UNIT, SECOND, WEIGHT_UNIT

LEAST_RATE = 1e-7
DECAYS = 0.9, 0.999
LARGEST_SHORT = 32_000


@dataclass
class TrainingBatch:
    """Positions as rows of a sparse matrix of ones, and what each came to."""

    told: csr_matrix
    worths: np.ndarray


def make_batch(
    active: np.ndarray, starts: np.ndarray, worths: np.ndarray, chosen: np.ndarray, features: int
) -> TrainingBatch:
    """The chosen positions of a store, in the order they are named."""
    lengths = starts[chosen + 1] - starts[chosen]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(starts[chosen] - ends[:-1], lengths) + np.arange(ends[-1])
    ones = np.ones(int(ends[-1]), dtype=np.float32)
    return TrainingBatch(csr_matrix((ones, active[places], ends), shape=(len(chosen), features)), worths[chosen])


class Trainer:
    """One net and the running means of its gradients."""

    def __init__(self, features: int, outputs: int, seed: int, second: int = SECOND) -> None:
        draw = np.random.default_rng(seed)

        def spread(rows: int, columns: int, scale: float) -> np.ndarray:
            return (draw.standard_normal((rows, columns)) * scale).astype(np.float32)

        self.features = features
        self.outputs = outputs
        self.weights = {
            "rows": spread(features, HIDDEN, 0.05),
            "bias": np.full(HIDDEN, 0.2, dtype=np.float32),
            "second": spread(HIDDEN, second, HIDDEN**-0.5),
            "second_bias": np.full(second, 0.2, dtype=np.float32),
            "last": spread(second, outputs, second**-0.5),
            "last_bias": np.full(outputs, 0.4, dtype=np.float32),
        }
        self.means = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.squares = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.steps = 0

    def run(self, told: csr_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The activations of both layers and the values."""
        weights = self.weights
        hidden = np.clip(told @ weights["rows"] + weights["bias"], 0.0, 1.0)
        second = np.clip(hidden @ weights["second"] + weights["second_bias"], 0.0, 1.0)
        return hidden, second, second @ weights["last"] + weights["last_bias"]

    def learn(self, batch: TrainingBatch, rate: float) -> float:
        """One step on one batch; the error before it."""
        hidden, second, values = self.run(batch.told)
        error, slope = self.judge(values, batch.worths)
        to_second = slope @ self.weights["last"].T * ((second > 0.0) & (second < 1.0))
        to_hidden = to_second @ self.weights["second"].T * ((hidden > 0.0) & (hidden < 1.0))
        self.descend(
            {
                "rows": np.asarray(batch.told.T @ to_hidden),
                "bias": to_hidden.sum(axis=0),
                "second": hidden.T @ to_second,
                "second_bias": to_second.sum(axis=0),
                "last": second.T @ slope,
                "last_bias": slope.sum(axis=0),
            },
            rate,
        )
        return error

    def judge(self, values: np.ndarray, worths: np.ndarray) -> tuple[float, np.ndarray]:
        """The error of these values, and its slope by each of them."""
        apart = values - worths
        return float(np.mean(apart * apart)), apart * (2.0 / apart.shape[0])

    def descend(self, slopes: dict[str, np.ndarray], rate: float) -> None:
        """Adam (D. Kingma, J. Ba, 2015)."""
        self.steps += 1
        slow, slower = DECAYS
        rate *= (1 - slower**self.steps) ** 0.5 / (1 - slow**self.steps)
        for name, slope in slopes.items():
            mean, square = self.means[name], self.squares[name]
            mean += (1 - slow) * (slope - mean)
            square += (1 - slower) * (slope * slope - square)
            self.weights[name] -= rate * mean / (np.sqrt(square) + LEAST_RATE)

    def whole_numbers(self) -> dict[str, np.ndarray]:
        """The weights as the brains read them; raises ValueError where one does not fit."""
        weights = self.weights
        units = {
            "rows": weights["rows"] * ONE_UNIT,
            "bias": weights["bias"] * ONE_UNIT,
            "second": weights["second"].T * WEIGHT_UNIT,
            "last": weights["last"].T * WEIGHT_UNIT,
        }
        rounded = {name: np.rint(value) for name, value in units.items()}
        if max(float(np.abs(value).max()) for value in rounded.values()) > LARGEST_SHORT:
            raise ValueError("A weight has grown too large for 16 bits: train with a smaller rate.")
        found = {name: value.astype(np.int16) for name, value in rounded.items()}
        for name in ("second_bias", "last_bias"):
            found[name] = np.rint(weights[name] * ONE_UNIT * WEIGHT_UNIT).astype(np.int32)
        return found

    def export(self, path: Path) -> None:
        """The file that the brains read."""
        write_whole(path, compressed=True, **self.whole_numbers())

    def save(self, path: Path) -> None:
        """Everything needed to train on."""
        stored = {f"{group}.{name}": value for group in ("weights", "means", "squares")
                  for name, value in getattr(self, group).items()}  # fmt: skip
        write_whole(path, compressed=False, steps=np.array(self.steps), **stored)

    def load(self, path: Path) -> None:
        with np.load(path) as stored:
            self.steps = int(stored["steps"])
            for group in ("weights", "means", "squares"):
                getattr(self, group).update({name: stored[f"{group}.{name}"] for name in self.weights})


def write_whole(path: Path, *, compressed: bool, **arrays: np.ndarray) -> None:
    """Write a file so that nobody ever reads half of it."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        (np.savez_compressed if compressed else np.savez)(file, **arrays)  # type: ignore[arg-type]
    part.replace(path)
