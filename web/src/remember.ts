// remember: what was entered on a page is in its address, so that a link shares it, and comes back with the page.
//
// A control is known by its label; only values that differ from the default are kept. Controls that appear later, or
// whose choices do, get their value then.

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const WAIT_MS = 150; // after the last change
const MOST = 4000; // characters of an address that every browser and chat takes

function stored(name: string): string {
  try {
    return sessionStorage.getItem(`page-${name}`) ?? "";
  } catch {
    return ""; // a browser that keeps nothing throws
  }
}

function store(name: string, text: string): void {
  try {
    sessionStorage.setItem(`page-${name}`, text);
  } catch {
    // the address still has it
  }
}

/** Forgets what was entered on a page, before it is opened with something else. */
export function forgetPage(name: string): void {
  store(name, "");
}

function defaultOf(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  return ([...control.options].find((option) => option.defaultSelected) ?? control.options[0])?.value ?? "";
}

/** The controls of a page by their labels; the second of two with the same label is "label 2". */
function* controls(place: HTMLElement): Generator<[string, Control]> {
  const seen = new Map<string, number>();
  for (const control of place.querySelectorAll<Control>("label.field :is(input, select, textarea)")) {
    if (control.type === "checkbox" || control.type === "file") continue;
    const label = control.closest("label")?.firstElementChild?.textContent ?? "";
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    yield [count > 1 ? `${label} ${count}` : label, control];
  }
}

function takes(control: Control, value: string): boolean {
  return !(control instanceof HTMLSelectElement) || [...control.options].some((option) => option.value === value);
}

/** Fills a page from the address (or from the last visit) and keeps the address up to date. */
export function remember(name: string, query: string | undefined, place: HTMLElement): () => void {
  const wanted = new URLSearchParams(query ?? stored(name));
  let timer: number | undefined;
  const restore = (): void => {
    if (wanted.size === 0) return;
    for (const [label, control] of controls(place)) {
      const value = wanted.get(label);
      if (value === null || !takes(control, value)) continue;
      wanted.delete(label);
      if (control.value === value) continue;
      control.value = value;
      for (const event of ["input", "change"]) control.dispatchEvent(new Event(event, { bubbles: true }));
    }
  };
  const keep = (): string => {
    timer = undefined;
    const found = new URLSearchParams(wanted); // what has not appeared yet is not lost
    for (const [label, control] of controls(place)) if (control.value !== defaultOf(control)) found.set(label, control.value);
    store(name, found.toString());
    return found.toString();
  };
  const save = (): void => {
    const text = keep();
    const here = location.hash.slice(1).split("?")[0];
    if (here !== name && here !== "") return; // another page's already, which is about to be shown
    const address = text === "" || text.length > MOST ? `#${name}` : `#${name}?${text}`;
    if (location.hash !== address && (text !== "" || location.hash !== "")) history.replaceState(null, "", address);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, WAIT_MS);
  };
  const observer = new MutationObserver(restore);
  observer.observe(place, { childList: true, subtree: true });
  const events = ["input", "change", "click", "pointerup", "keyup"];
  for (const event of events) place.addEventListener(event, soon);
  restore();
  return () => {
    observer.disconnect();
    for (const event of events) place.removeEventListener(event, soon);
    if (timer === undefined) return;
    clearTimeout(timer);
    keep(); // the address is another page's by now
  };
}
