// form: options and parameters as labelled controls, built from the program's own tables.

import type { Parameter } from "./api";
import { choice, h } from "./dom";

let made = 0; // for unique ids

/** What is wrong with the value of a control, in the words of the program; "": nothing. */
function problem({ validity, value, validationMessage }: HTMLInputElement | HTMLSelectElement, min: string, max: string): string {
  if (validity.badInput) return "not a number";
  if (validity.rangeUnderflow && max === "") return `${value} is less than ${min}`;
  if (validity.rangeUnderflow || validity.rangeOverflow) return `${value} is not in ${min}..${max}`;
  if (validity.stepMismatch) return `'${value}' is not an integer`;
  return validity.valid ? "" : validationMessage;
}

/** The value of a control. Fails, and moves the focus there, where the program would reject it. */
export function checked(name: string, control: HTMLInputElement | HTMLSelectElement): string {
  const [min, max] = control instanceof HTMLInputElement ? [control.min, control.max] : ["", ""];
  const why = problem(control, min, max);
  if (why === "") return control.value;
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  throw new Error(`${name}: ${why}`);
}

function control(parameter: Parameter): HTMLInputElement | HTMLSelectElement {
  const words = parameter.kind === "flag" ? ["off", "on"] : parameter.choices;
  if (words) {
    const none: [string, string][] = parameter.default === "" ? [["", "default"]] : []; // it depends on the rest
    return choice([...none, ...words.map((word): [string, string] => [word, word])], parameter.default);
  }
  if (parameter.kind === "text") return h("input", { type: "text", placeholder: parameter.default });
  return h("input", {
    type: "number",
    placeholder: parameter.default,
    step: parameter.kind === "integer" ? 1 : "any",
    min: parameter.min,
    max: parameter.max,
  });
}

function rangeOf({ min, max, kind }: Parameter): string {
  if (min === undefined || max === undefined || (kind !== "integer" && kind !== "real")) return "";
  const text = (value: number): string => (Math.abs(value) >= 1e6 ? `10${[...String(Math.round(Math.log10(value)))].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}` : value.toLocaleString("en", { maximumSignificantDigits: 6 }));
  return ` (${text(min)} to ${text(max)})`;
}

/** Controls for one table; another `set` replaces it. */
export class ParameterForm {
  readonly element = h("div", { class: "parameters" });
  private controls: { parameter: Parameter; control: HTMLInputElement | HTMLSelectElement }[] = [];

  set(parameters: Parameter[]): void {
    this.controls = parameters.map((parameter) => ({ parameter, control: control(parameter) }));
    this.element.replaceChildren(
      ...this.controls.map(({ parameter, control }) => {
        const id = `parameter-${++made}`;
        control.setAttribute("aria-describedby", id);
        return h(
          "div",
          { class: "parameter" },
          h("label", { class: "field" }, h("span", {}, parameter.name), control),
          h("p", { id }, `${parameter.help}${rangeOf(parameter)}`),
        );
      }),
    );
  }

  /** The control of a parameter. */
  control(name: string): HTMLInputElement | HTMLSelectElement | undefined {
    return this.controls.find(({ parameter }) => parameter.name === name)?.control;
  }

  /** What differs from the defaults. Fails at the first value that is out of range. */
  values(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { parameter, control } of this.controls) {
      const value = checked(parameter.name, control);
      if (value !== "" && value !== parameter.default) found[parameter.name] = value;
    }
    return found;
  }
}
