// Which form of an answer a client wants, where there are two.

/** Whether the client asks for JSON and not for a page. Browsers always ask for pages. */
export function prefersJson({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return /\b(application\/|\+)json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}
