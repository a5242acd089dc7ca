// replays: a saved game or a fumen, dropped, chosen or pasted.

import { post, type Game } from "./api";
import { announce, button, copyText, errorPlace, h, number, showError } from "./dom";
import type { Page } from "./page";
import { stepper } from "./stepper";

export const replays: Page = {
  name: "replays",
  title: "Replays",
  show(place) {
    let steps: ReturnType<typeof stepper> | undefined;
    const error = errorPlace();
    const shown = h("section", { "aria-label": "The game" });

    async function load(text: string): Promise<void> {
      error.textContent = "";
      try {
        const game = await post<Game>("/api/replay", text);
        steps?.leave();
        steps = stepper(game);
        const result = game.result;
        const fumen = game.fumen;
        shown.replaceChildren(
          h("h3", {}, game.title || (result === null ? `${game.frames.length} pages` : game.frames.length > 0 ? `A game of ${game.frames.length} moves` : "A board")),
          ...(result ? [h("p", {}, `${result.pieces} pieces, ${result.lines} lines, score ${number(result.score)}`)] : []),
          ...(fumen ? [button("Copy as fumen", () => void copyText(fumen))] : []),
          steps.element,
        );
        announce(`Loaded: ${game.frames.length} moves.`);
      } catch (problem) {
        shown.replaceChildren();
        showError(error, problem);
      }
    }

    const file = h("input", { type: "file", accept: ".json,.txt,application/json,text/plain" });
    file.addEventListener("change", () => {
      const first = file.files?.[0];
      if (first) void first.text().then(load);
    });
    const paste = h("textarea", { rows: 3, spellcheck: false, placeholder: "v115@… or the text of a replay" });
    const drop = h(
      "div",
      { class: "drop" },
      h("label", {}, "Drop a file here, or choose one: ", file),
      h("label", { class: "field" }, h("span", {}, "Or paste a fumen or a replay"), paste),
      button("Show", () => void load(paste.value), { class: "primary" }),
    );
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      const first = event.dataTransfer?.files[0];
      if (first) void first.text().then(load);
      else void load(event.dataTransfer?.getData("text") ?? "");
    });
    place.append(h("div", { class: "halves" }, h("div", {}, drop, error), shown));
    return () => steps?.leave();
  },
};
