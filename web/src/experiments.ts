import { h } from "./dom";
import type { Page } from "./page";
export const experiments: Page = { name: "experiments", title: "Experiments", show(place) { place.append(h("p", {}, "")); return () => {}; } };
