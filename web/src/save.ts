// save: the game of a seat as a file or on the clipboard.

import { button, copyText, h, saveText, showError } from "./dom";
import type { Seat } from "./engine";

/** Two buttons; they do nothing as long as there is no game. */
export function saveButtons(seat: () => Seat | undefined, error: HTMLElement): { element: HTMLElement; enable(on: boolean): void } {
  const act = (use: (seat: Seat) => void) => (): void => {
    const found = seat();
    if (!found) return;
    error.textContent = "";
    try {
      use(found);
    } catch (problem) {
      showError(error, problem);
    }
  };
  const buttons = [
    button("Save replay", act((found) => saveText("tetropt-replay.json", "application/json", found.replay())), { disabled: true }),
    button("Copy as fumen", act((found) => void copyText(found.fumen())), { disabled: true }),
  ];
  return {
    element: h("div", { class: "controls" }, ...buttons),
    enable(on) {
      for (const one of buttons) one.disabled = !on;
    },
  };
}
