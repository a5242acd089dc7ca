// save: the game of a session as a file or on the clipboard.

import { button, copyButton, enable, h, saveText, showError } from "./dom";
import type { GameSession } from "./engine";

/** Copies the fumen of a game on a board so wide; where there is none, the reason stands beside it. */
export function fumenButton(fumen: string | null, width: number): HTMLElement {
  if (fumen !== null) return copyButton("Copy as fumen", () => fumen);
  const why = width === 10 ? "This game does not fit into a fumen." : `A fumen has 10 columns, this board ${width}.`;
  return h("span", { class: "refused" }, button("Copy as fumen", () => {}, { disabled: true, title: why }), h("span", {}, why));
}

/** Two buttons; they do nothing as long as there is no game. */
export function saveButtons(session: () => GameSession | undefined, error: HTMLElement): { element: HTMLElement; enable(on: boolean): void } {
  const act = (use: (session: GameSession) => void) => (): void => {
    const found = session();
    if (!found) return;
    error.textContent = "";
    try {
      use(found);
    } catch (problem) {
      showError(error, problem);
    }
  };
  const fumen = (): string | undefined => {
    let text: string | undefined;
    act((found) => (text = found.fumen()))();
    return text;
  };
  const buttons = [
    button("Save replay", act((found) => saveText("tetropt-replay.json", "application/json", found.replay())), { disabled: true }),
    copyButton("Copy as fumen", fumen, { disabled: true }),
  ];
  return {
    element: h("div", { class: "controls" }, ...buttons),
    enable(on) {
      for (const one of buttons) enable(one, on);
    },
  };
}
