// replays: a saved game or a fumen, dropped, chosen or pasted.

import { announce, button, counted, errorPlace, h, number, showError } from "./dom";
import { engine } from "./engine";
import type { Page } from "./page";
import { Review } from "./review";
import { fumenButton } from "./save";

const MAX_BYTES = 64 << 20; // of a file that is read

export const replays: Page = {
  name: "replays",
  title: "Replays",
  show(place) {
    let steps: Review | undefined;
    const error = errorPlace();
    const shown = h("section", { "aria-label": "The game" });

    async function load(text: string): Promise<void> {
      error.textContent = "";
      try {
        const loaded = await engine();
        steps?.leave(); // its frames are gone with the next one
        const game = loaded.open(text);
        steps = new Review(game, Promise.resolve(loaded.agents()));
        const result = game.result;
        shown.replaceChildren(
          h("h3", {}, game.title || (result === null ? `${game.count} pages` : game.count > 0 ? `A game of ${game.count} moves` : "A board")),
          ...(result ? [h("p", {}, `${counted(result.pieces, "piece")}, ${counted(result.lines, "line")}, score ${number(result.score)}`)] : []),
          ...(result ? [fumenButton(game.fumen, game.width)] : []), // what is no game came as a fumen
          steps.element,
        );
        announce(`Loaded: ${game.count} moves.`);
      } catch (problem) {
        refuse(problem);
      }
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

    const file = h("input", { type: "file", accept: ".json,.txt,application/json,text/plain" });
    file.addEventListener("change", () => {
      const first = file.files?.[0];
      if (first) void loadFile(first);
    });
    const paste = h("textarea", { rows: 3, spellcheck: false, placeholder: "v115@… or the text of a replay" });
    const drop = h(
      "div",
      { class: "drop" },
      h("label", {}, "Drop a file here, or choose one: ", file),
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
      const first = event.dataTransfer?.files[0];
      if (first) void loadFile(first);
      else void load(event.dataTransfer?.getData("text") ?? "");
    });
    place.append(h("div", { class: "halves" }, h("div", {}, drop, error), shown));
    return () => steps?.leave();
  },
};
