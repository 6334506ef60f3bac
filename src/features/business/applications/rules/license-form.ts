// Whether a license number has the form that its state gives out. Only of states whose form is public and strict.

/** Only of California (Contractors State License Board) and Florida (Department of Business and Professional Regulation). */
const FORMS: Readonly<Record<string, RegExp>> = {
  CA: /^\d{6,8}$/,
  FL: /^[A-Z]{2,4}\d{5,8}$/,
}

/** Undefined where no form is known. */
export function hasKnownForm({ number, state }: { number: string; state: string }): boolean | undefined {
  return FORMS[state]?.test(number.toUpperCase().replace(/[\s#.-]/g, ''))
}
