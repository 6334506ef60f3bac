// Commands of a shell on pages.

/** A command of Hearth, as pages write one. */
export const COMMAND = /<code>\s*hearth\b|\bnpx hearth|`hearth /
/** Where developers work in a shell. */
export const MAY_SHOW_COMMANDS = /^\/(console\/quickstart|problems|api-docs)\b/
