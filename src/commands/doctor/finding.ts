// What the doctor found of one thing.

export interface Finding {
  what: string
  says: string
  /** What to do about it: there is something wrong. */
  remedy?: string
}

export const fine = (what: string, says: string): Finding => ({ what, says })
export const wrong = (what: string, says: string, remedy: string): Finding => ({ what, says, remedy })

/** Where a URL leads, without the password in it. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return pathname.length > 1 ? `${host}${pathname}` : host
}

/** Why something failed, in one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] ?? ''
