// dom: elements in one call, and what all pages share.

type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element with attributes (functions are listeners, false and undefined are left out). */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** A button; `disabled` and `enable` make it do nothing, but it keeps the focus. */
export function button(text: string, act: () => void, { disabled, ...attributes }: Attributes = {}): HTMLButtonElement {
  const press = (): void => {
    if (!made.hasAttribute("aria-disabled")) act();
  };
  const made = h("button", { type: "button", click: press, ...attributes }, text);
  enable(made, disabled !== true);
  return made;
}

/** Not the attribute `disabled`: with it, a button that has the focus loses it to the body. */
export function enable(button: HTMLButtonElement, on: boolean): void {
  if (on) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
}

/** A labelled control. */
export function field(label: string, control: HTMLElement): HTMLLabelElement {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

/** A list to choose from: [value, text] pairs. */
export function choice(options: [string, string][], chosen?: string): HTMLSelectElement {
  const select = h("select");
  for (const [value, text] of options)
    select.append(h("option", { value, selected: value === chosen }, text));
  return select;
}

/** Tells those who listen instead of looking. */
export function announce(text: string): void {
  const news = document.getElementById("news");
  if (news) news.textContent = text;
}

/** Shows an error in a place that is otherwise empty. One that stands there already is not said again. */
export function showError(place: HTMLElement, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (place.textContent !== text) place.textContent = text;
}

export function errorPlace(): HTMLElement {
  return h("p", { class: "error", role: "alert" });
}

/** A colour of the theme, by its name in palette.css or style.css. */
export function style(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** About four digits, thousands apart; large numbers without a fraction. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value.toLocaleString("en", Math.abs(value) < 1e4 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 0 });
}

/** Saves a text as a file on the reader's machine. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000); // the browser has taken it by then
  announce(`${name} saved.`);
}

/** "1 row", "2 rows". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** False where the browser did not allow it. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without the permission, the old way.
    const before = document.activeElement;
    const area = h("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const ok = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return ok;
  }
}

const SIGN_MS = 2000; // that a button says what it did

/** Copies a text (undefined: there is none), and says on itself whether that worked. */
export function copyButton(name: string, text: () => string | undefined | Promise<string | undefined>, attributes: Attributes = {}): HTMLButtonElement {
  let timer: number | undefined;
  const copy = async (): Promise<void> => {
    const found = await text();
    if (found === undefined) return;
    const ok = await copyText(found);
    made.style.minWidth = `${made.offsetWidth}px`; // what stands beside it stays where it is
    made.textContent = ok ? "Copied" : "Not copied";
    announce(ok ? "Copied." : "The browser did not allow copying.");
    clearTimeout(timer);
    timer = setTimeout(() => (made.textContent = name), SIGN_MS);
  };
  const made = button(name, () => void copy(), attributes);
  return made;
}
