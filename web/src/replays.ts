// replays: a saved game or a fumen, dropped, chosen or pasted; or the two boards of a match, side by side.

import type { Frame, SavedGame } from "./api";
import { announce, button, counted, errorPlace, h, number, showError } from "./dom";
import { engine } from "./engine";
import type { Page } from "./page";
import { continueButtons } from "./position";
import { Review } from "./review";
import { fumenButton } from "./save";
import { positionAfter, stepper, type Stepper, type SteppedGame } from "./stepper";

const MAX_BYTES = 64 << 20; // of a file that is read

/** Two boards that go move by move together. */
function sideBySide(games: (SavedGame & SteppedGame)[]): { element: HTMLElement; leave(): void } {
  const steps: Stepper[] = [];
  const panes = games.map((game, side) => {
    const view = stepper(game, (place) => {
      if (side === 0) steps[1]?.go(place);
    });
    steps.push(view);
    if (side > 0) view.element.classList.add("follower");
    const garbage = Array.from({ length: game.count }, (_, i) => game.frame(i).garbage ?? 0).reduce((sum, rows) => sum + rows, 0);
    const result = game.result;
    return h(
      "section",
      { class: "side-by-side", "aria-label": side === 0 ? "The first board" : "The second board" },
      h("h4", {}, game.title || `Board ${side + 1}`),
      h("p", {}, `${counted(result?.pieces ?? 0, "piece")}, ${counted(result?.lines ?? 0, "line")}, ${counted(garbage, "row")} of garbage received${result && result.over !== "no" ? `, ended by ${result.over}` : ""}`),
      view.element,
      continueButtons(() => positionAfter(game, view.place())),
    );
  });
  return { element: h("div", { class: "panes" }, ...panes), leave: () => steps.forEach((one) => one.leave()) };
}

export const replays: Page = {
  name: "replays",
  title: "Replays",
  show(place) {
    let steps: { leave(): void } | undefined;
    const error = errorPlace();
    const shown = h("section", { "aria-label": "The game" });

    async function load(text: string): Promise<void> {
      error.textContent = "";
      try {
        const loaded = await engine();
        steps?.leave(); // its frames are gone with the next one
        const game = loaded.open(text);
        const review = new Review(game, Promise.resolve(loaded.agents()));
        steps = review;
        const result = game.result;
        shown.replaceChildren(
          h("h3", {}, game.title || (result === null ? `${game.count} pages` : game.count > 0 ? `A game of ${game.count} moves` : "A board")),
          ...(result ? [h("p", {}, `${counted(result.pieces, "piece")}, ${counted(result.lines, "line")}, score ${number(result.score)}`)] : []),
          ...(result ? [fumenButton(game.fumen, game.width)] : []), // what is no game came as a fumen
          review.element,
        );
        announce(`Loaded: ${game.count} moves.`);
      } catch (problem) {
        refuse(problem);
      }
    }

    /** Both boards of a match. The engine has one game at a time, so all frames are read first. */
    async function loadTwo(files: File[]): Promise<void> {
      error.textContent = "";
      try {
        const loaded = await engine();
        const texts = await Promise.all(files.map((one) => one.text()));
        const games = texts.map((text, i) => {
          try {
            const game = loaded.open(text);
            const frames = Array.from({ length: game.count }, (_, k): Frame => game.frame(k));
            return { ...game, frame: (k: number) => frames[k] as Frame };
          } catch (problem) {
            throw new Error(`${files[i]?.name ?? ""}: ${problem instanceof Error ? problem.message : String(problem)}`);
          }
        });
        steps?.leave();
        const both = sideBySide(games);
        steps = both;
        shown.replaceChildren(h("h3", {}, "Two boards"), both.element);
        announce("Loaded: two boards.");
      } catch (problem) {
        refuse(problem);
      }
    }

    /** One file, or the two of a match. */
    async function loadFiles(files: File[]): Promise<void> {
      const [first, second] = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
      if (first && second && files.length === 2 && first.size + second.size <= MAX_BYTES) await loadTwo([first, second]);
      else if (files.length > 1) refuse("Choose one file, or the two of a match.");
      else if (first) await loadFile(first);
    }

    /** Nothing of what was there before is left. */
    function refuse(problem: unknown): void {
      steps?.leave();
      steps = undefined;
      shown.replaceChildren();
      announce("");
      showError(error, problem);
    }

    async function loadFile(chosen: File): Promise<void> {
      if (chosen.size > MAX_BYTES) {
        refuse(`${chosen.name}: ${number(Math.ceil(chosen.size / 1024))} KiB; at most ${number(MAX_BYTES / 1024)} KiB are read.`);
        return;
      }
      let text: string;
      try {
        text = await chosen.text();
      } catch {
        refuse(`${chosen.name}: it cannot be read.`); // a folder, for example
        return;
      }
      await load(text);
    }

    const file = h("input", { type: "file", multiple: true, accept: ".json,.txt,application/json,text/plain" });
    file.addEventListener("change", () => {
      void loadFiles([...(file.files ?? [])]);
    });
    const paste = h("textarea", { rows: 3, spellcheck: false, placeholder: "v115@… or the text of a replay" });
    const drop = h(
      "div",
      { class: "drop" },
      h("label", {}, "Drop a file here, or choose one (two: both boards of a match): ", file),
      h("label", { class: "field" }, h("span", {}, "Or paste a fumen or a replay"), paste),
      button("Show", () => void load(paste.value), { class: "primary" }),
    );
    const mark = (on: boolean): boolean => drop.classList.toggle("over", on);
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      mark(true);
    });
    drop.addEventListener("dragleave", (event) => {
      if (!drop.contains(event.relatedTarget as Node | null)) mark(false);
    });
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      mark(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) void loadFiles(files);
      else void load(event.dataTransfer?.getData("text") ?? "");
    });
    place.append(h("div", { class: "halves" }, h("div", {}, drop, error), shown));
    return () => steps?.leave();
  },
};
