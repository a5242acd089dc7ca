// main: the pages, the address (#play and so on) and the theme.

import "uplot/dist/uPlot.min.css";
import "./palette.css";
import "./style.css";
import { h } from "./dom";
import type { Page } from "./page";
import { remember } from "./remember";
import { home } from "./home";
import { play } from "./play";
import { watch } from "./watch";
import { solve } from "./solve";
import { train } from "./train";
import { replays } from "./replays";
import { clears } from "./clears";

/** Loaded when it is opened: few visitors have experiments. */
const experiments: Page = {
  name: "experiments",
  title: "Experiments",
  show(place) {
    let end: (() => void) | undefined;
    let left = false;
    void import("./experiments").then(({ experiments }) => {
      if (!left) end = experiments.show(place);
    });
    return () => {
      left = true;
      end?.();
    };
  },
};

const pages: Page[] = [home, solve, clears, watch, play, train, experiments, replays];
const main = document.getElementById("main") as HTMLElement;
let leave = (): void => {};

function show(): void {
  const [name, query] = location.hash.slice(1).split("?");
  const page = pages.find((candidate) => candidate.name === name) ?? (pages[0] as Page);
  leave();
  main.replaceChildren();
  document.title = `${page.title} – tetropt`;
  for (const link of document.querySelectorAll("nav a"))
    if (link.getAttribute("href") === `#${page.name}`) {
      link.setAttribute("aria-current", "page");
      link.removeAttribute("tabindex");
    } else {
      link.removeAttribute("aria-current");
      link.setAttribute("tabindex", "-1");
    }
  main.append(h("h2", {}, page.title));
  const end = page.show(main);
  const forget = remember(page.name, query, main);
  leave = () => {
    forget();
    end();
  };
}

const themes = ["auto", "light", "dark"];
const darkWanted = matchMedia("(prefers-color-scheme: dark)"); // by the system, where the theme is auto
let theme = "auto";

/** The theme that was chosen. A browser that keeps nothing for pages throws instead of answering. */
function storedTheme(): string {
  try {
    const stored = localStorage.getItem("theme") ?? "";
    return themes.includes(stored) ? stored : "auto";
  } catch {
    return "auto";
  }
}

function storeTheme(): void {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // It holds until the page is left.
  }
}

function setTheme(wanted: string): void {
  theme = wanted;
  const dark = theme === "dark" || (theme === "auto" && darkWanted.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  const toggle = document.getElementById("theme") as HTMLButtonElement;
  toggle.textContent = `Theme: ${theme}`;
  toggle.onclick = () => {
    setTheme(themes[(themes.indexOf(theme) + 1) % themes.length] ?? "auto");
    storeTheme();
  };
  window.dispatchEvent(new Event("resize")); // whatever is drawn takes the new colours
}

const nav = document.querySelector("nav") as HTMLElement;
for (const page of pages) nav.append(h("a", { href: `#${page.name}` }, page.title));
// The menu is one stop of Tab, at the page that is shown; arrows lead to the others.
nav.addEventListener("keydown", (event) => {
  const links = [...nav.querySelectorAll("a")];
  const at = links.indexOf(event.target as HTMLAnchorElement);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  links.at(to % links.length)?.focus();
});
setTheme(storedTheme());
darkWanted.addEventListener("change", () => setTheme(theme));
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // the address says which page it is
  main.focus();
});
// Enter in a field starts what the page is for, after the change that it makes to the field itself.
main.addEventListener("keydown", (event) => {
  const { target, key, defaultPrevented } = event;
  const field = (target instanceof HTMLInputElement && !["file", "checkbox", "range"].includes(target.type)) || (target instanceof HTMLSelectElement && target.size < 2);
  if (key !== "Enter" || defaultPrevented || !field || (target as HTMLElement).closest("[data-own-enter]")) return;
  setTimeout(() => main.querySelector<HTMLElement>("button.primary")?.click());
});
// A file that misses the place meant for it would be opened by the browser, and the page be gone.
for (const name of ["dragover", "drop"] as const)
  window.addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
window.addEventListener("hashchange", () => {
  show();
  main.focus(); // where the new page begins, for those who go by keys or listen
});
show();
