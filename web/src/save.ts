// save: the game of a session as a file or on the clipboard.

import { button, copyButton, enable, h, saveText, showError } from "./dom";

/** Copies the fumen of a game on a board so wide; where there is none, the reason stands beside it. */
export function fumenButton(fumen: string | null, width: number): HTMLElement {
  if (fumen !== null) return copyButton("Copy as fumen", () => fumen);
  const why = width === 10 ? "This game does not fit into a fumen." : `A fumen has 10 columns, this board ${width}.`;
  return h("span", { class: "refused" }, button("Copy as fumen", () => {}, { disabled: true, title: why }), h("span", {}, why));
}

/** A game that can be saved. */
export interface Saves {
  replay(): string | Promise<string>;
  fumen(): string | Promise<string>;
}

/** Two buttons; they do nothing as long as there is no game. */
export function saveButtons(game: () => Saves | undefined, error: HTMLElement): { element: HTMLElement; enable(on: boolean): void } {
  const text = async (ask: (game: Saves) => string | Promise<string>): Promise<string | undefined> => {
    const found = game();
    if (!found) return undefined;
    error.textContent = "";
    try {
      return await ask(found);
    } catch (problem) {
      showError(error, problem);
      return undefined;
    }
  };
  const save = async (): Promise<void> => {
    const found = await text((one) => one.replay());
    if (found !== undefined) saveText("tetropt-replay.json", "application/json", found);
  };
  const buttons = [button("Save replay", () => void save(), { disabled: true }), copyButton("Copy as fumen", () => text((one) => one.fumen()), { disabled: true })];
  return {
    element: h("div", { class: "controls" }, ...buttons),
    enable(on) {
      for (const one of buttons) enable(one, on);
    },
  };
}
