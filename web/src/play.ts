// play: a person plays by the real rules; an agent gives hints.

import { untilLoaded } from "./api";
import { boardCanvas, drawBoard, drawPieces, textBoard } from "./board";
import { announce, button, choice, counted, enable, errorPlace, field, h, showError } from "./dom";
import { engine, Key, readSeed, seedInput, type Engine, type GameState, type Hint, type GameSession } from "./engine";
import { everyFrame, type Page } from "./page";
import { saveButtons } from "./save";

/** Keys as in the terminal; by code where the place on the keyboard matters less than the letter. */
const keys: Record<string, Key> = {
  ArrowLeft: Key.Left,
  a: Key.Left,
  ArrowRight: Key.Right,
  d: Key.Right,
  ArrowUp: Key.Clockwise,
  w: Key.Clockwise,
  z: Key.Counter,
  ArrowDown: Key.SoftDrop,
  s: Key.SoftDrop,
  " ": Key.HardDrop,
  c: Key.Hold,
};

const held = new Set([Key.Left, Key.Right, Key.SoftDrop]); // those that repeat while held

const touch: [string, string, Key][] = [
  ["←", "Left", Key.Left],
  ["→", "Right", Key.Right],
  ["↻", "Turn", Key.Clockwise],
  ["↺", "Turn back", Key.Counter],
  ["↓", "Down", Key.SoftDrop],
  ["⤓", "Drop", Key.HardDrop],
  ["⇄", "Hold", Key.Hold],
];

const help: [string[], string][] = [
  [["←", "→", "a", "d"], "move"],
  [["↑", "w"], "turn"],
  [["z"], "turn back"],
  [["↓", "s"], "down"],
  [["space"], "drop"],
  [["c"], "hold"],
  [["p", "Esc"], "pause"],
  [["h"], "hint"],
];

const clears = ["", "Single", "Double", "Triple", "Tetris"];

export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${Math.floor((ms % 1000) / 100)}`;
}

/** The numbers of a game beside it. */
export function facts(): { list: HTMLElement; set(state: GameState): void } {
  const values: Record<string, HTMLElement> = {};
  const list = h("dl", { class: "facts" });
  for (const name of ["Score", "Lines", "Level", "Pieces", "Time"]) {
    const value = h("dd");
    values[name] = value;
    list.append(h("div", {}, h("dt", {}, name), value));
  }
  const put = (name: string, text: string): void => {
    const place = values[name];
    if (place && place.textContent !== text) place.textContent = text;
  };
  return {
    list,
    set(state) {
      put("Score", state.score.toLocaleString("en"));
      put("Lines", String(state.lines));
      put("Level", String(state.level));
      put("Pieces", String(state.pieces));
      put("Time", clock(state.ms));
    },
  };
}

class PlayPage {
  private session: GameSession | undefined;
  private hint: Hint | null = null;
  private hintPiece = "";
  private pieces = 0;
  private over = false;
  private readonly canvas = boardCanvas("The field", { tabindex: 0 });
  private readonly hold = boardCanvas("Hold");
  private readonly next = boardCanvas("Next pieces");
  private readonly numbers = facts();
  private readonly text = textBoard();
  private readonly message = h("p", { class: "message" });
  private readonly error = errorPlace();
  private readonly mode = choice([["0", "Marathon"], ["40", "Sprint: 40 lines"]]);
  private readonly adviser = choice([]);
  private readonly seed = seedInput();
  private readonly pauseButton = button("Pause", () => this.pause(), { disabled: true });
  private readonly saving = saveButtons(() => this.session, this.error);
  private readonly hintButton = button("Hint", () => this.takeHint(), { disabled: true, "aria-keyshortcuts": "h" });

  constructor(private readonly engine: Engine, place: HTMLElement) {
    for (const agent of engine.agents())
      if (agent.advises)
        this.adviser.append(h("option", { value: agent.name, title: agent.summary }, agent.name));
    const controls = h(
      "div",
      { class: "controls" },
      field("Game", this.mode),
      field("Hints from", this.adviser),
      field("Seed", this.seed),
      button("New game", () => this.begin(), { class: "primary" }),
      this.pauseButton,
      this.hintButton,
    );
    const pad = h("div", { class: "pad", "aria-label": "Keys for touch", role: "group" });
    for (const [sign, name, key] of touch) pad.append(button(sign, () => this.press(key), { "aria-label": name }));
    const list = h("dl", { class: "keys" });
    for (const [names, what] of help) list.append(h("dt", {}, ...names.map((name) => h("kbd", {}, name))), h("dd", {}, what));
    place.append(
      controls,
      this.error,
      h(
        "div",
        { class: "play" },
        h(
          "div",
          {},
          h(
            "div",
            { class: "game" },
            h("div", { class: "side" }, h("h3", {}, "Hold"), this.hold, this.numbers.list, this.message),
            this.canvas,
            h("div", { class: "side" }, h("h3", {}, "Next"), this.next),
          ),
          pad,
          this.text.element,
        ),
        h("div", { class: "about" }, h("h3", {}, "This game"), this.saving.element, h("h3", {}, "Keys"), list),
      ),
    );
    this.message.textContent = "Start a new game.";
    this.canvas.setAttribute("role", "application"); // keys go to the game
    this.drawEmpty();
  }

  drawEmpty(): void {
    drawBoard(this.canvas, { width: 10, height: 21, board: [] });
    drawPieces(this.hold, "", 1);
    drawPieces(this.next, "", 5);
  }

  begin(): void {
    this.error.textContent = "";
    try {
      const seed = readSeed(this.seed);
      this.session?.leave();
      this.session = undefined;
      this.session = this.engine.begin({ agent: this.adviser.value, person: true, seed, lines: Number(this.mode.value) });
      this.message.textContent = `Seed ${seed}`;
    } catch (error) {
      showError(this.error, error);
      return;
    }
    this.hint = null;
    this.pieces = 0;
    this.over = false;
    this.text.set([], 10);
    for (const one of [this.pauseButton, this.hintButton]) enable(one, true);
    this.saving.enable(false);
    this.pauseButton.textContent = "Pause";
    this.canvas.focus();
    announce("The game begins.");
  }

  private running(): boolean {
    return this.session !== undefined && !this.over;
  }

  pause(): void {
    if (!this.session || !this.running()) return;
    const paused = !this.session.state().paused;
    this.session.pause(paused);
    this.pauseButton.textContent = paused ? "Resume" : "Pause";
    this.message.textContent = paused ? "Paused" : "";
    announce(paused ? "Paused." : "Resumed.");
    if (!paused) this.canvas.focus();
  }

  /** Nobody looks: the window has lost the focus. */
  away(): void {
    if (this.session && !this.session.state().paused) this.pause();
  }

  takeHint(): void {
    if (!this.session || !this.running()) return;
    this.hint = this.session.hint();
    const state = this.session.state();
    this.hintPiece = `${state.pieces}${state.piece ?? ""}`;
    const hint = this.hint;
    const columns = hint ? [...new Set(hint.cells.map(([x]) => x + 1))].sort((a, b) => a - b) : [];
    const text = hint
      ? `${hint.hold ? "Hold, then place" : "Place"} ${hint.piece ?? "what comes"}${columns.length > 0 ? ` in columns ${columns.join(", ")}` : ""}.`
      : "No idea.";
    this.message.textContent = text;
    announce(text);
    this.canvas.focus();
  }

  press(key: Key): void {
    this.session?.press(key);
  }

  onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (["BUTTON", "SUMMARY"].includes(target.tagName) && (name === " " || name === "Enter")) return;
    if (!event.repeat && (name === "p" || name === "Escape")) this.pause();
    else if (!event.repeat && name === "h") this.takeHint();
    else {
      const key = keys[name];
      if (key === undefined || !this.running()) return;
      if (!event.repeat || held.has(key)) this.press(key);
    }
    event.preventDefault();
  }

  private end(state: GameState): void {
    this.over = true;
    for (const one of [this.pauseButton, this.hintButton]) enable(one, false);
    const what = state.end === "lines" ? `All lines done in ${clock(state.ms)}` : "Game over";
    this.message.textContent = `${what}: score ${state.score.toLocaleString("en")}, ${counted(state.lines, "line")}.`;
    announce(this.message.textContent);
  }

  frame(elapsed: number): void {
    if (!this.session) return;
    this.session.advance(elapsed * 1000, false);
    const state = this.session.state();
    if (this.hint && this.hintPiece !== `${state.pieces}${state.piece ?? ""}` && !(this.hint.hold && state.hold_used)) this.hint = null;
    if (state.pieces !== this.pieces) {
      this.pieces = state.pieces;
      this.text.set(state.board, state.width);
      this.hint = null;
      this.saving.enable(true);
      if (!this.over) this.message.textContent = "";
      if (state.cleared > 0) {
        this.message.textContent = `${clears[state.cleared] ?? ""} +${state.points}`;
        announce(this.message.textContent);
      }
    }
    if (state.end !== "running" && !this.over) this.end(state);
    const label = `The field: ${state.piece ?? "no piece"} falls, next ${state.next}, ${counted(state.lines, "line")}`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
    drawBoard(this.canvas, { ...state, height: state.height + 1, goal: this.hint?.cells });
    drawPieces(this.hold, state.hold ?? "", 1, state.hold_used);
    drawPieces(this.next, state.next, 5);
    this.numbers.set(state);
  }

  leave(): void {
    this.session?.leave();
    this.session = undefined;
  }
}

export const play: Page = {
  name: "play",
  title: "Play",
  show(place) {
    let page: PlayPage | undefined;
    let left = false;
    const onKey = (event: KeyboardEvent): void => page?.onKey(event);
    const onBlur = (): void => page?.away();
    document.addEventListener("keydown", onKey);
    window.addEventListener("blur", onBlur);
    const stop = everyFrame((elapsed) => page?.frame(elapsed));
    const problem = place.appendChild(errorPlace());
    void untilLoaded(engine, (error) => showError(problem, error), () => !left).then((loaded) => {
      if (!loaded || left) return;
      problem.remove();
      page = new PlayPage(loaded, place);
    });
    return () => {
      left = true;
      stop();
      document.removeEventListener("keydown", onKey);
      window.removeEventListener("blur", onBlur);
      page?.leave();
    };
  },
};
