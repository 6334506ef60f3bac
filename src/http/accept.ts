// Which form of an answer a client wants, where there are two.

/** Whether a person asks with a browser: it names pages first, and programs do not. */
export const isBrowser = ({ headers }: Request): boolean => /\btext\/html\b/i.test(headers.get('accept') ?? '')

/** Whether the client asks for JSON and not for a page. Browsers always ask for pages. */
export function prefersJson({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return /\b(application\/|\+)json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}
