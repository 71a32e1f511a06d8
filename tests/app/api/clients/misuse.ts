// Each must be a mistake for the compiler: the body of a request is typed.
import type { components } from "./api.js";
export const misspelled: components["schemas"]["Request"] = { htm: "<p>" };
export const unknown: components["schemas"]["Request"] = { html: "<p>", method: "guess" };
