// The form of a mutant: one change to the code that breaks one guarantee.

export interface Mutant {
  /** What a user can rely on, as one sentence. The change breaks it. */
  readonly guarantee: string
  /** The file that is changed. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly from: string
  /** The text in its place. */
  readonly to: string
  /** The test file that must fail. */
  readonly killedBy: string
  /** A pattern for the names of its tests, where the whole file is slow. */
  readonly tests?: string
  /** The change makes the test hang: running out of time counts as killed. */
  readonly hangs?: true
}

/** Where `from` begins in the text, as a line number; undefined unless it occurs exactly once. */
export function lineOf({ from }: Mutant, text: string): number | undefined {
  const at = text.indexOf(from)
  if (at < 0 || text.indexOf(from, at + 1) >= 0) return undefined
  return text.slice(0, at).split('\n').length
}
