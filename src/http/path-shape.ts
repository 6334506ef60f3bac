// What operators may read of a path that no route has: a path may hold what is personal, but not the words that routes have, too.

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
