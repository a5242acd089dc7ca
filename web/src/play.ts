// play: a person plays by the real rules; an agent gives hints, and reviews the game at its end.

import { untilLoaded } from "./api";
import { boardCanvas, drawBoard, drawPieces, textBoard, type Mark } from "./board";
import { announce, button, choice, counted, enable, errorPlace, field, h, number, showError } from "./dom";
import { actions, Controls, keyName, type Action } from "./controls";
import { engine, type Key, readSeed, seedInput, type Engine, type GameState, type Hint, type GameSession, type GameSessionSetup } from "./engine";
import type { View } from "./games";
import { everyFrame, type Page } from "./page";
import { continueButtons, positionOf, positionText, StartPosition } from "./position";
import { RemoteGame } from "./remote";
import { Review } from "./review";
import { saveButtons } from "./save";
import { Sound } from "./sound";

const clears = ["", "Single", "Double", "Triple", "Tetris"];

const DRAWN = 3; // best placements that come with a hint
const COUNTDOWN_MS = 700; // for each of 3, 2, 1

/** What a lock did, in the words of players; "": nothing to tell. */
export function describeClear(state: GameState): string {
  const spin = { none: "", mini: "T-spin mini ", full: "T-spin " }[state.spin];
  if (state.cleared === 0) return spin.trim();
  const words = [`${state.chained ? "Back-to-back " : ""}${spin}${clears[state.cleared] ?? ""}`];
  if (state.empty) words.push("perfect clear");
  if (state.combo > 0) words.push(`combo ${state.combo}`);
  return words.join(", ");
}

/** The best game of a kind that this browser has seen: a score, or the time of a sprint. */
const bests = {
  read(kind: string): number | undefined {
    try {
      const found = Number(localStorage.getItem(`best-${kind}`) ?? NaN);
      return Number.isFinite(found) ? found : undefined;
    } catch {
      return undefined;
    }
  },
  keep(kind: string, value: number): void {
    try {
      localStorage.setItem(`best-${kind}`, String(value));
    } catch {
      // it is not kept
    }
  },
};

export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${Math.floor((ms % 1000) / 100)}`;
}

/** The numbers of a game beside it. */
export function facts(): { list: HTMLElement; set(state: GameState): void } {
  const values: Record<string, HTMLElement> = {};
  const list = h("dl", { class: "facts" });
  for (const name of ["Score", "Lines", "Level", "Pieces", "Time", "PPS", "APP"]) {
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
      put("PPS", state.ms > 0 ? ((state.pieces * 1000) / state.ms).toFixed(2) : "–");
      put("APP", state.pieces > 0 ? (state.attack / state.pieces).toFixed(2) : "–");
    },
  };
}

class PlayPage {
  private session: GameSession | undefined;
  private hint: Hint | null = null;
  private marks: Mark[] = []; // the best placements that came with it
  private hintPiece = "";
  private pieces = 0;
  private over = false;
  private countdown = 0; // milliseconds until the game starts
  private readonly sound = new Sound();
  private readonly controls = new Controls((key) => (this.countdown > 0 ? false : (this.session?.press(key) ?? false)));
  private readonly best = h("p", { class: "message" });
  private readonly canvas = boardCanvas("The field", { tabindex: 0 });
  private readonly hold = boardCanvas("Hold");
  private readonly next = boardCanvas("Next pieces");
  private readonly numbers = facts();
  private readonly text = textBoard();
  private readonly message = h("p", { class: "message" });
  private readonly error = errorPlace();
  private readonly mode = choice([["0", "Marathon"], ["40", "Sprint: 40 lines"], ["race", "Race with garbage"]]);
  private readonly adviser = choice([]);
  private rival: RemoteGame | undefined; // of a race
  private rivalView: View | undefined;
  private owed = 0; // lines that the rival has not been told of,
  private behind = 0; // and milliseconds
  private adviserGame: Promise<RemoteGame> | undefined; // which thinks about hints
  private readonly rivalCanvas = boardCanvas("The opponent's field");
  private readonly rivalWords = h("p", { class: "message" });
  private readonly rivalPlace = h("div", { class: "side rival", hidden: true }, h("h3", {}, "Opponent"), this.rivalCanvas, this.rivalWords);
  private readonly rivalName = choice([]);
  private readonly rivalSpeed = choice([["0.25", "slow"], ["0.5", "medium"], ["1", "fast"], ["3", "very fast"]], "0.5");
  private readonly raceFields = h("span", { class: "controls", hidden: true }, field("Opponent", this.rivalName), field("Speed", this.rivalSpeed));
  private readonly seed = seedInput();
  private readonly position = new StartPosition(() => this.drawEmpty());
  private readonly after = h("section", { "aria-label": "Review of the game" });
  private review: Review | undefined;
  private readonly pauseButton = button("Pause", () => this.pause(), { disabled: true });
  private readonly saving = saveButtons(() => this.session, this.error);
  private readonly hintButton = button("Hint", () => this.takeHint(), { disabled: true, "aria-keyshortcuts": "h" });

  constructor(private readonly engine: Engine, place: HTMLElement) {
    for (const agent of engine.agents()) if (agent.guideline && !agent.plans) this.rivalName.append(h("option", { value: agent.name, title: agent.summary, selected: agent.name === "lookahead" }, agent.name));
    for (const agent of engine.agents())
      if (agent.advises)
        this.adviser.append(h("option", { value: agent.name, title: agent.summary }, agent.name));
    const controls = h(
      "div",
      { class: "controls" },
      button("New game", () => this.begin(), { class: "primary" }),
      this.pauseButton,
      this.hintButton,
      field("Game", this.mode),
      this.raceFields,
      field("Hints from", this.adviser),
      field("Seed", this.seed),
    );
    const pad = h("div", { class: "pad", "aria-label": "Keys for touch", role: "group" });
    for (const { sign, name, key } of actions) if (sign !== undefined && key !== undefined) pad.append(this.touchButton(sign, name, key));
    this.mode.addEventListener("change", () => {
      this.raceFields.hidden = this.mode.value !== "race";
      this.showBest();
    });
    place.append(
      controls,
      this.position.element,
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
            this.rivalPlace,
          ),
          pad,
          this.text.element,
        ),
        h(
          "div",
          { class: "about" },
          h("h3", {}, "This game"),
          this.saving.element,
          continueButtons(() => this.session && positionOf(this.session.state()), "play"),
          this.best,
          field("Sound", this.sound.toggle),
          this.controls.settingsView(),
        ),
      ),
      this.after,
    );
    this.message.textContent = "Start a new game.";
    this.canvas.setAttribute("role", "application"); // keys go to the game
    this.drawEmpty();
    this.showBest();
  }

  /** Repeats while it is held, as a key does. */
  private touchButton(sign: string, name: string, key: Key): HTMLButtonElement {
    const made = h("button", { type: "button", "aria-label": name }, sign);
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      made.setPointerCapture(event.pointerId);
      this.controls.down(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) made.addEventListener(end, () => this.controls.up(key));
    made.addEventListener("click", (event) => {
      if (event.detail === 0) this.session?.press(key); // by the keyboard or a screen reader
    });
    return made;
  }

  private showBest(): void {
    const [sprint, found] = [this.mode.value === "40", bests.read(this.mode.value)];
    this.best.textContent = found === undefined ? "" : `Your best: ${sprint ? clock(found) : found.toLocaleString("en")}`;
  }

  drawEmpty(): void {
    if (this.session) return;
    const start = this.position.read();
    drawBoard(this.canvas, { width: start?.width ?? 10, height: (start?.height ?? 20) + 1, board: start?.board ?? [] });
    drawPieces(this.hold, start?.hold ?? "", 1);
    drawPieces(this.next, start?.queue ?? "", 5);
  }

  begin(): void {
    this.error.textContent = "";
    try {
      const seed = readSeed(this.seed);
      this.leaveGames();
      const race = this.mode.value === "race";
      const position = this.position.value();
      this.session = this.engine.begin({ person: true, seed, lines: race ? 0 : Number(this.mode.value), position });
      if (race) void this.beginRival(this.session, { agent: this.rivalName.value, seed, position }).catch((error: unknown) => showError(this.error, error));
      this.rivalPlace.hidden = !race;
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
    this.controls.releaseAll();
    this.countdown = 3 * COUNTDOWN_MS;
    this.canvas.focus();
    announce("The game begins.");
  }

  /** The opponent plays in a worker of its own. */
  private async beginRival(own: GameSession, setup: GameSessionSetup): Promise<void> {
    const rival = await RemoteGame.open();
    if (this.session !== own) return rival.end();
    this.rival = rival;
    this.rivalView = await rival.ask("begin", setup);
  }

  private running(): boolean {
    return this.session !== undefined && !this.over;
  }

  pause(): void {
    if (!this.session || !this.running()) return;
    this.controls.releaseAll();
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
    if (!this.session || !this.running() || this.countdown > 0) return;
    void this.think(this.session).catch((error: unknown) => showError(this.error, error));
    this.canvas.focus();
  }

  /** A worker thinks; the game goes on meanwhile. */
  private async think(session: GameSession): Promise<void> {
    const state = session.state();
    const turn = `${state.pieces}${state.piece ?? ""}`;
    this.message.textContent = "Thinking …";
    this.adviserGame ??= RemoteGame.open();
    const { hint, thoughts } = await (await this.adviserGame).ask("advise", { agent: this.adviser.value, person: true, seed: 1, position: positionText(positionOf(state)) });
    if (this.session !== session || !this.running()) return;
    const now = session.state();
    if (turn !== `${now.pieces}${now.piece ?? ""}`) {
      this.message.textContent = "";
      return;
    }
    this.hint = hint;
    this.marks = (thoughts?.best ?? []).slice(0, DRAWN).map(({ cells, value }) => ({ cells, text: number(value) }));
    this.hintPiece = turn;
    const columns = hint ? [...new Set(hint.cells.map(([x]) => x + 1))].sort((a, b) => a - b) : [];
    const text = hint
      ? `${hint.hold ? "Hold, then place" : "Place"} ${hint.piece ?? "what comes"}${columns.length > 0 ? ` in columns ${columns.join(", ")}` : ""}.`
      : "No idea.";
    this.message.textContent = text;
    announce(text);
  }

  private act(action: Action): void {
    if (action === "pause") this.pause();
    else if (action === "hint") this.takeHint();
    else if (action === "restart") this.begin();
    else {
      const key = actions.find((one) => one.action === action)?.key;
      if (key !== undefined) this.controls.down(key);
    }
  }

  onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = keyName(event);
    if (["BUTTON", "SUMMARY"].includes(target.tagName) && (name === " " || name === "Enter")) return;
    const action = this.controls.action(name);
    if (action === undefined || (!this.running() && action !== "restart")) return;
    event.preventDefault();
    if (!event.repeat) this.act(action);
  }

  onKeyUp(event: KeyboardEvent): void {
    this.controls.release(keyName(event));
  }

  private end(state: GameState): void {
    this.over = true;
    for (const one of [this.pauseButton, this.hintButton]) enable(one, false);
    const what = this.rival ? (state.end === "over" ? "You lost" : "You won") : state.end === "lines" ? `All lines done in ${clock(state.ms)}` : "Game over";
    this.message.textContent = `${what}: score ${state.score.toLocaleString("en")}, ${counted(state.lines, "line")}.`;
    this.keepBest(state);
    this.showReview();
    announce(this.message.textContent);
    this.sound.play("over");
  }

  /** The game to step through, with what an agent says of it. */
  private showReview(): void {
    if (!this.session || this.session.state().pieces === 0) return;
    try {
      const game = this.engine.open(this.session.replay());
      this.review = new Review(game, Promise.resolve(this.engine.agents()));
      this.after.replaceChildren(h("h3", {}, "Review"), this.review.element);
    } catch (error) {
      showError(this.error, error); // longer than a replay can be
    }
  }

  private forgetReview(): void {
    this.review?.leave();
    this.review = undefined;
    this.after.replaceChildren();
  }

  private keepBest(state: GameState): void {
    const sprint = this.mode.value === "40";
    if (this.mode.value === "race" || this.position.value() !== "" || (sprint && state.end !== "lines")) return;
    const [had, now] = [bests.read(this.mode.value), sprint ? state.ms : state.score];
    if (had !== undefined && (sprint ? now >= had : now <= had)) return;
    bests.keep(this.mode.value, now);
    this.message.textContent = `${this.message.textContent ?? ""} A personal best.`;
    this.showBest();
  }

  /** 3, 2, 1 on an empty board; nothing falls meanwhile. */
  private counting(elapsed: number, state: GameState): boolean {
    if (this.countdown <= 0) return false;
    this.countdown -= elapsed;
    this.message.textContent = this.countdown > 0 ? String(Math.ceil(this.countdown / COUNTDOWN_MS)) : "";
    drawBoard(this.canvas, { width: state.width, height: state.height + 1, board: this.position.value() === "" ? [] : state.board });
    drawPieces(this.hold, "", 1);
    drawPieces(this.next, `${state.piece ?? ""}${state.next}`, 5);
    this.numbers.set(state);
    return true;
  }

  /** The opponent plays; both get what the other sent. */
  private race(own: GameSession, rival: RemoteGame, elapsed: number, state: GameState): void {
    this.owed += own.takeSent();
    this.behind = Math.min(250, this.behind + elapsed);
    if (rival.idle() && this.rivalView) {
      const [owed, behind] = [this.owed, this.behind];
      this.owed = this.behind = 0;
      const asked = rival.ask("run", behind, this.rivalSpeed.value, owed, false);
      asked.then(
        (view) => {
          if (this.rival !== rival) return;
          this.rivalView = view;
          own.receive(view.sent);
        },
        (error: unknown) => showError(this.error, error),
      );
    }
    const theirs = this.rivalView?.state;
    if (!theirs) return;
    drawBoard(this.rivalCanvas, { ...theirs, height: theirs.height + 1, goal: undefined });
    this.rivalWords.textContent = `${theirs.attack} lines sent, ${theirs.waiting} coming. You: ${state.attack} sent, ${state.waiting} coming.`;
    if (theirs.end !== "running" && state.end === "running") this.end(state);
  }

  frame(elapsed: number): void {
    if (!this.session) return;
    if (this.counting(elapsed, this.session.state())) return;
    this.controls.repeat();
    if (!this.over || !this.rival) this.session.advance(elapsed * 1000, false);
    const state = this.session.state();
    if (this.rival && !state.paused && !this.over) this.race(this.session, this.rival, elapsed, state);
    if (this.hint && this.hintPiece !== `${state.pieces}${state.piece ?? ""}` && !(this.hint.hold && state.hold_used)) this.hint = null;
    if (state.pieces !== this.pieces) {
      this.pieces = state.pieces;
      this.text.set(state.board, state.width);
      this.hint = null;
      this.saving.enable(true);
      if (!this.over) this.message.textContent = "";
      const clear = describeClear(state);
      if (clear !== "") {
        this.message.textContent = `${clear} +${state.points}`;
        announce(this.message.textContent);
      }
      this.sound.play(state.cleared === 0 ? "lock" : state.cleared === 4 || state.spin !== "none" ? "tetris" : "clear");
    }
    if (state.end !== "running" && !this.over) this.end(state);
    const label = `The field: ${state.piece ?? "no piece"} falls, next ${state.next}, ${counted(state.lines, "line")}`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
    // A pause is no time to think.
    if (state.paused) drawBoard(this.canvas, { width: state.width, height: state.height + 1, board: [] });
    else drawBoard(this.canvas, { ...state, height: state.height + 1, goal: this.hint?.cells, ...(this.hint ? { marks: this.marks } : {}) });
    drawPieces(this.hold, state.hold ?? "", 1, state.hold_used);
    drawPieces(this.next, state.paused ? "" : state.next, 5);
    this.numbers.set(state);
  }

  private leaveGames(): void {
    this.forgetReview();
    this.session?.leave();
    this.rival?.end();
    this.session = this.rival = this.rivalView = undefined;
    this.owed = this.behind = 0;
  }

  leave(): void {
    this.sound.leave();
    this.leaveGames();
    void this.adviserGame?.then((one) => one.end());
  }
}

export const play: Page = {
  name: "play",
  title: "Play",
  show(place) {
    let page: PlayPage | undefined;
    let left = false;
    const onKey = (event: KeyboardEvent): void => page?.onKey(event);
    const onKeyUp = (event: KeyboardEvent): void => page?.onKeyUp(event);
    const onBlur = (): void => page?.away();
    document.addEventListener("keydown", onKey);
    document.addEventListener("keyup", onKeyUp);
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
      document.removeEventListener("keyup", onKeyUp);
      window.removeEventListener("blur", onBlur);
      page?.leave();
    };
  },
};
