// controls: the keys of the game: what each action is assigned to, and our own key repeat.
//
// The browser's repeat depends on the system, so only the first press of a key is taken from it. While a key is
// held, it repeats after `das` milliseconds, every `arr` milliseconds; 0 moves to the wall at once.

import { button, field, h, showError } from "./dom";
import { Key } from "./engine";

export type Action = "left" | "right" | "cw" | "ccw" | "180" | "down" | "drop" | "hold" | "pause" | "restart" | "hint";

export const actions: { action: Action; name: string; key?: Key; keys: string[]; sign?: string }[] = [
  { action: "left", name: "move left", key: Key.Left, keys: ["ArrowLeft", "a"], sign: "←" },
  { action: "right", name: "move right", key: Key.Right, keys: ["ArrowRight", "d"], sign: "→" },
  { action: "cw", name: "rotate", key: Key.Clockwise, keys: ["ArrowUp", "x", "w"], sign: "↻" },
  { action: "ccw", name: "rotate back", key: Key.Counter, keys: ["z"], sign: "↺" },
  { action: "180", name: "rotate 180°", key: Key.Turn180, keys: ["v"], sign: "⟲" },
  { action: "down", name: "soft drop", key: Key.SoftDrop, keys: ["ArrowDown", "s"], sign: "↓" },
  { action: "drop", name: "hard drop", key: Key.HardDrop, keys: [" "], sign: "⤓" },
  { action: "hold", name: "hold", key: Key.Hold, keys: ["c"], sign: "⇄" },
  { action: "pause", name: "pause", keys: ["p", "Escape"] },
  { action: "restart", name: "new game", keys: ["r"] },
  { action: "hint", name: "hint", keys: ["h"] },
];

const signs: Record<string, string> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "space", Escape: "Esc" };
const SOFT_MS = 33; // between two rows of a soft drop that is held
const STORED = "controls";

interface Settings {
  das: number;
  arr: number;
  keys: Record<string, Action>;
}

function defaults(): Settings {
  const keys: Record<string, Action> = {};
  for (const { action, keys: names } of actions) for (const name of names) keys[name] = action;
  return { das: 167, arr: 33, keys };
}

/** Settings of an earlier visit; a browser that keeps nothing throws instead of answering. */
function stored(): Settings {
  const settings = defaults();
  try {
    const found = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Settings>;
    for (const name of ["das", "arr"] as const) {
      const value = found[name];
      if (typeof value === "number" && value >= 0 && value <= 500) settings[name] = value;
    }
    const known = new Set<string>(actions.map(({ action }) => action));
    const keys = Object.entries(found.keys ?? {}).filter(([, action]) => known.has(action));
    if (keys.length > 0) settings.keys = Object.fromEntries(keys);
  } catch {
    // the defaults
  }
  return settings;
}

/** The name of a key as settings have it: letters without regard to shift. */
export function keyName(event: KeyboardEvent): string {
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** Keys that are held, and when each of them repeats. */
export class Controls {
  private settings = stored();
  private held: { key: Key; since: number; next: number }[] = [];

  constructor(private readonly press: (key: Key) => boolean) {}

  action(name: string): Action | undefined {
    return this.settings.keys[name];
  }

  /** A key goes down: the first press. Opposite directions: the last one counts. */
  down(key: Key): void {
    this.up(key);
    this.press(key);
    const now = performance.now();
    if (key === Key.SoftDrop) this.held.push({ key, since: now, next: now + SOFT_MS });
    else if (key === Key.Left || key === Key.Right) this.held.push({ key, since: now, next: now + this.settings.das });
  }

  up(key: Key): void {
    this.held = this.held.filter((one) => one.key !== key);
  }

  /** A key of the keyboard is released. */
  release(name: string): void {
    const action = this.action(name);
    const key = actions.find((one) => one.action === action)?.key;
    if (key !== undefined) this.up(key);
  }

  releaseAll(): void {
    this.held = [];
  }

  /** Repeats what is due. */
  repeat(): void {
    const now = performance.now();
    const sideways = this.held.filter(({ key }) => key !== Key.SoftDrop).at(-1);
    for (const one of this.held) {
      if (one.key !== Key.SoftDrop && one !== sideways) continue;
      const period = one.key === Key.SoftDrop ? SOFT_MS : this.settings.arr;
      for (let presses = 0; one.next <= now && presses < 40; presses++) {
        const moved = this.press(one.key);
        if (period === 0 && moved) continue; // on to the wall
        one.next = Math.max(one.next + Math.max(1, period), now - 100);
        if (period === 0) one.next = now + 1;
      }
    }
  }

  private keep(problem: HTMLElement): void {
    try {
      localStorage.setItem(STORED, JSON.stringify(this.settings));
      problem.textContent = "";
    } catch {
      showError(problem, "This browser keeps no settings; they hold until the page is left.");
    }
  }

  /** Which keys an action has, and fields to change them and the key repeat. */
  settingsView(): HTMLElement {
    const problem = h("p", { class: "error", role: "alert" });
    const list = h("dl", { class: "keys" });
    const fill = (): void => {
      list.replaceChildren();
      for (const { action, name } of actions) {
        const names = Object.keys(this.settings.keys).filter((key) => this.settings.keys[key] === action);
        const change = button("change", () => this.assign(action, change, fill, problem), { class: "small", "aria-label": `change the key: ${name}` });
        list.append(h("dt", {}, ...names.map((key) => h("kbd", {}, signs[key] ?? key))), h("dd", {}, name, " ", change));
      }
    };
    const amount = (name: "das" | "arr", label: string): HTMLElement => {
      const input = h("input", { type: "number", min: 0, max: 500, step: 1, value: this.settings[name] });
      input.addEventListener("change", () => {
        if (!input.checkValidity() || input.value === "") return;
        this.settings[name] = Number(input.value);
        this.keep(problem);
      });
      return field(label, input);
    };
    const reset = button("Default keys", () => {
      this.settings.keys = defaults().keys;
      this.keep(problem);
      fill();
    });
    fill();
    return h(
      "details",
      { class: "settings" },
      h("summary", {}, "Keys"),
      list,
      h("div", { class: "controls" }, amount("das", "Delay before repeat (DAS, ms)"), amount("arr", "Repeat (ARR, ms)"), reset),
      problem,
    );
  }

  /** The next key that is pressed gets the action, and no other. */
  private assign(action: Action, place: HTMLButtonElement, done: () => void, problem: HTMLElement): void {
    place.textContent = "press a key";
    const take = (event: KeyboardEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      document.removeEventListener("keydown", take, true);
      place.removeEventListener("blur", cancel);
      if (event.key !== "Tab" && !event.ctrlKey && !event.altKey && !event.metaKey) {
        const name = keyName(event);
        const rest = Object.entries(this.settings.keys).filter(([key, had]) => key !== name && had !== action);
        this.settings.keys = Object.fromEntries([...rest, [name, action]]);
        this.keep(problem);
      }
      done();
    };
    const cancel = (): void => {
      document.removeEventListener("keydown", take, true);
      done();
    };
    document.addEventListener("keydown", take, true);
    place.addEventListener("blur", cancel, { once: true });
  }
}
