// The part of a path without a route that operators may read. A path may hold personal data; the words of our routes are none.

/** A deeper path is cut. */
const MAX_SEGMENTS = 6

/** Returns a function that writes a path with `*` for each segment that no route has, such as `/api/v1/*`. */
export function pathShapes(routes: () => readonly { readonly path: string }[]): (path: string) => string {
  let words: ReadonlySet<string> | undefined
  return (path) => {
    words ??= new Set(routes().flatMap((route) => route.path.split('/').filter((word) => !word.startsWith(':'))))
    return path
      .split('/', MAX_SEGMENTS + 1)
      .map((segment) => (words?.has(segment) ? segment : '*'))
      .join('/')
  }
}
