// Elements that a page is known to have.

/** The first element of this kind that the selector finds. Throws where the page and its script do not agree. */
export function elementOf<E extends Element>(kind: new () => E, selector: string, within: ParentNode = document): E {
  const found = within.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`)
  return found
}

/** All elements that the selector finds. */
export const elementsOf = (selector: string, within: ParentNode = document): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
]
