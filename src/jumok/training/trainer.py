"""The loop: from batches to weights, resumable at any moment."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from jumok.core.memory import give_idle_memory_back, keep_freed_memory
from jumok.training import processes, tensorboard
from jumok.training.best import BestWeights
from jumok.training.checkpoints import Checkpoints, note_for
from jumok.training.denormals import flushed_denormals
from jumok.training.devices import choose, threads
from jumok.training.folder import locked
from jumok.training.interrupts import Interrupts
from jumok.training.log import Log
from jumok.training.metrics import Metrics
from jumok.training.optimiser import memory_of, remember
from jumok.training.progress import on_terminal
from jumok.training.randomness import mix
from jumok.training.report import Evaluation, Outcome, Report, Reports
from jumok.training.settings import TrainingSettings
from jumok.training.state import Best, State, Surroundings
from jumok.training.stopping import evaluation_is_due, is_better, reason_to_stop
from jumok.training.task import Task
from jumok.training.updating import NotFinite, Updater
from jumok.training.weights import load_weights, put_weights, weights_of

HELD_MEMORY = (1 << 31) - 1
"""Bytes of memory that was freed and stays with the process, for the next update."""

IDLE_EVERY = 100
"""Updates after which memory that lies idle is given back: batches of ever new shapes leave gaps between tensors."""


class Trainer:
    """Trains anything with `batches`, `loss` and `evaluate`, and leaves the best weights in `folder`.

    The random numbers of an update depend on (seed, update, process) alone, the batches on the epoch alone; so a run
    that was killed and resumed gives the same bits as one that was not.
    """

    def __init__(
        self,
        task: Task,
        settings: TrainingSettings,
        folder: Path,
        seed: int,
        report: Report | None = None,
        how_to_resume: str = "run(resume=True)",
        cpu_began: float | None = None,
    ) -> None:
        """`report` listens (by default the terminal does); `how_to_resume` is what messages tell the user to do.

        cpu_began: the process's CPU time when the run began, where it read its data before; by default it is now.
        """
        self.cpu_counted = time.process_time() if cpu_began is None else cpu_began
        self.task = task
        self.settings = settings
        self.folder = folder
        self.seed = seed
        self.device = choose(settings.device)
        self.listener = report
        self.how_to_resume = how_to_resume
        self.checkpoints = Checkpoints(folder / "checkpoints", settings.keep, how_to_resume)
        self.best = BestWeights(folder, self.checkpoints)

    def run(self, resume: bool = False) -> Outcome:
        """Train until a limit, patience or a signal ends it; with `resume`, go on from the last checkpoint, if any.

        When it has finished, the model holds the best weights, as `model.safetensors` does.
        """
        with contextlib.ExitStack() as until_the_end:
            self.place = until_the_end.enter_context(processes.joined(self.device))
            self.interrupts = until_the_end.enter_context(Interrupts(self.place.world == 1))
            until_the_end.enter_context(threads(self.settings.threads))
            until_the_end.enter_context(flushed_denormals())
            if self.place.is_first:
                self.checkpoints.folder.mkdir(parents=True, exist_ok=True)
                until_the_end.enter_context(locked(self.checkpoints.folder / "lock"))
            self._prepare()
            until_the_end.callback(self._let_go)
            if (ended := self._resume(resume)) is not None:
                return ended
            metrics = None
            if self.place.is_first:
                metrics = Metrics(self.folder / "metrics.jsonl", self.state.metrics_bytes)
                until_the_end.callback(metrics.close)
            self.log = Log(self.report, metrics, self.settings.log_every, self.last)
            self.report.began(self.state.update, self.last)
            until_the_end.callback(self.report.ended)
            return self._train()

    def _prepare(self) -> None:
        """A state of nothing done, the model on its device, and who listens."""
        if self.device.type == "cpu":
            keep_freed_memory(HELD_MEMORY)
        self.report = self._listener()
        self.state = State()
        self.task.model.to(self.device).train()
        self.updater = Updater(self.task, self.settings, self.device, self.seed)
        self.surroundings = Surroundings.here(self.device, self.place.world, self.seed)
        self.interrupted = False
        self.epoch_of_batches = -1
        self.last = self._last_update()

    def _let_go(self) -> None:
        """Hold the processes' group no longer, and the optimiser's memory neither."""
        del self.updater

    def _listener(self) -> Report:
        if not self.place.is_first:
            return Report()
        listener = on_terminal() if self.listener is None else self.listener
        if tensorboard.is_installed():
            return Reports([listener, tensorboard.TensorBoard(self.folder / "tensorboard")])
        return listener

    def _turn_to(self, epoch: int) -> None:
        self.epoch_of_batches = epoch
        self.batches: Sequence[Any] = self.task.batches(epoch)
        if len(self.batches) == 0:
            raise ValueError(f"epoch {epoch + 1} has no batches; is the training data empty?")

    def _last_update(self) -> int | None:
        """The last update, as far as the settings and the length of the first epoch say."""
        updates, epochs = self.settings.updates, self.settings.epochs
        if epochs is None:
            return updates
        self._turn_to(0)
        by_epochs = epochs * math.ceil(len(self.batches) / self.settings.accumulate)
        return by_epochs if updates is None else min(updates, by_epochs)

    def _resume(self, resume: bool) -> Outcome | None:
        """Put the last checkpoint in place, if there is one; the outcome, where the run has already ended."""
        if self.place.is_first:
            if self.checkpoints.exist() and not resume:
                raise FileExistsError(f"{self.folder} holds a training run: go on with {self.how_to_resume}")
            self.best.clean()
            lines = self.checkpoints.open()
            if self.checkpoints.index.last is None and self.best.path.exists():
                raise FileExistsError(
                    f"{self.folder} holds a model but no checkpoint to go on from: give another folder"
                )
            for line in lines:
                self.report.said(line)
        self.checkpoints.index = processes.from_first(self.checkpoints.index, self.device)
        finished = self.checkpoints.index.finished
        if finished is not None and reason_to_stop(self.settings, finished.state) is not None:
            self.report.said(f"{self.folder}: this run has ended ({finished.reason}); there is nothing left to do")
            load_weights(self.task.model, self.best.path)
            return Outcome.of(finished.reason, finished.state)
        checkpoint = self.checkpoints.load()
        if checkpoint is not None:
            self.state = checkpoint.state
            put_weights(self.task.model, checkpoint.weights, str(self.checkpoints.folder / str(self.state.update)))
            remember(self.updater.optimiser, self.task.model, checkpoint.memory)
            self.report.said(f"training goes on after update {self.state.update}")
            changes = self.surroundings.changes(checkpoint.surroundings)
            if changes:
                self.report.said(f"warning: the weights will not be the same bit for bit: {', '.join(changes)}")
        if self.place.is_first:
            with self.checkpoints.saving(self.state.update):
                self.best.keep(self.state.best)
        self.saved_at = time.monotonic()
        self.started_at = time.monotonic() - self.state.seconds
        return None

    def _train(self) -> Outcome:
        while True:
            due = not self.interrupted and evaluation_is_due(self.settings, self.state)
            if due:
                self._evaluate()
            reason = "interrupted" if self.interrupted else reason_to_stop(self.settings, self.state)
            if self.place.is_first and (due or reason or self._checkpoint_is_due()):
                self._save()
            if reason:
                break
            self._update()
        if reason == "interrupted":
            saved = self.checkpoints.folder / str(self.state.update)
            self.report.said(
                f"stopped after update {self.state.update}, saved in {saved}; go on with {self.how_to_resume}"
            )
        else:
            self._finish(reason)
        return Outcome.of(reason, self.state)

    def _update(self) -> None:
        state, began, cpu_began = self.state, time.monotonic(), time.process_time()
        if state.epoch != self.epoch_of_batches:
            self._turn_to(state.epoch)
        end = min(state.batch + self.settings.accumulate, len(self.batches))
        if end <= state.batch:
            done = f"{state.batch} batches were done of the {len(self.batches)} of epoch {state.epoch + 1}"
            raise ValueError(f"{done}: was the data changed since? Train it in another folder")
        batches = [self.batches[number] for number in range(state.batch, end)]
        try:
            updated = self.updater.update(state.update + 1, self.last, batches)
        except NotFinite as error:
            kept = self.checkpoints.index.last
            held = f"the checkpoint of update {kept} is kept" if kept else "no checkpoint was saved yet"
            where = f"epoch {state.epoch + 1}, update {state.update + 1}"
            raise NotFinite(f"{where}, {error}; {held}; a lower training.learning_rate may help") from None
        state.update += 1
        state.batch = end
        if end == len(self.batches):
            state.epoch, state.batch = state.epoch + 1, 0
        now, cpu = time.monotonic(), time.process_time()
        seconds = now - self.started_at if self.place.is_first else 0.0
        mine = [seconds, float(self.interrupts.came), cpu - self.cpu_counted, cpu - cpu_began]
        state.seconds, signals, more_cpu, update_cpu = processes.summed(mine, self.device)
        self.cpu_counted = cpu
        state.cpu_seconds += more_cpu
        state.update_cpu_seconds += update_cpu
        self.interrupted = signals > 0
        if state.update % IDLE_EVERY == 0 and self.device.type == "cpu":
            give_idle_memory_back()
        with self.checkpoints.saving(state.update):
            self.log.updated(state, updated, now - began)

    def _evaluate(self) -> None:
        """Evaluate the weights as they are, and note whether they are the best so far."""
        state = self.state
        figures = self._figures()
        state.evaluated = state.update
        is_best = is_better(self.settings, figures, state.best)
        if is_best:
            state.best = Best(update=state.update, figures=figures)
        state.without_better = 0 if is_best else state.without_better + 1
        if self.settings.average > 1:
            state.recent = [*state.recent, state.update][-self.settings.average :]
        self._tell(Evaluation(state.update, state.epoch_of_last, figures, is_best, self._seconds()))

    def _figures(self) -> dict[str, float]:
        """The figures of the weights as they are, from the first process."""
        figures: dict[str, float] = {}
        if self.place.is_first:
            torch.manual_seed(mix(self.seed, self.state.update, -1))
            self.task.model.eval()
            with torch.no_grad():
                figures = {name: float(value) for name, value in self.task.evaluate().items()}
            self.task.model.train()
        return processes.from_first(figures, self.device)

    def _checkpoint_is_due(self) -> bool:
        every, minutes = self.settings.checkpoint_every, self.settings.checkpoint_minutes
        by_time = minutes is not None and time.monotonic() - self.saved_at >= minutes * 60
        return self.state.update > 0 and (by_time or (every is not None and self.state.update % every == 0))

    def _save(self) -> None:
        with self.checkpoints.saving(self.state.update):
            self.state.metrics_bytes = self.log.sync()
            model = self.task.model
            memory = memory_of(self.updater.optimiser, model)
            self.checkpoints.save(self.state, self.surroundings, weights_of(model), memory)
            self.best.keep(self.state.best)
        self.saved_at = time.monotonic()

    def _finish(self, reason: str) -> None:
        """Try the average of the last evaluations' weights, and leave the best weights in the model."""
        if self.settings.average > 1 and len(self.state.recent) > 1:
            self._try_average()
        if self.place.is_first:
            with self.checkpoints.saving(self.state.update):
                if self.state.best is None:  # no figure was a number
                    self.best.save(self.task.model, note_for(self.state.update))
                self.log.sync()
                self.checkpoints.finish(reason, self.state)
        processes.wait()
        load_weights(self.task.model, self.best.path)

    def _try_average(self) -> None:
        state, updates = self.state, tuple(self.state.recent)
        if self.place.is_first:
            self.best.put_average(self.task.model, updates)
        figures = self._figures()
        is_best = is_better(self.settings, figures, state.best)
        if is_best:
            state.best = Best(update=state.update, figures=figures, averaged=updates)
            if self.place.is_first:
                with self.checkpoints.saving(state.update):
                    self.best.save(self.task.model, note_for(state.update, updates))
        self._tell(Evaluation(state.update, state.epoch_of_last, figures, is_best, self._seconds(), updates))

    def _tell(self, evaluation: Evaluation) -> None:
        with self.checkpoints.saving(self.state.update):
            self.log.evaluated(self.state, evaluation)

    def _seconds(self) -> float:
        return time.monotonic() - self.started_at
