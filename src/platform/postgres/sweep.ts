// Sweeps: rows that a new release stores otherwise are written anew while the old one serves, part by part.
import type { Sql } from './database.ts'
import type { SchemaFile } from './schema-files.ts'

interface SweepOptions {
  /** Runs a part, and again while it does not get its locks. */
  readonly bounded: (what: string, work: () => Promise<void>) => Promise<void>
  /** Receives lines for the operator. */
  readonly note: (line: string) => void
}

const NOTE_EVERY_MS = 10_000

/**
 * Runs the statement of a file until it returns no row. Its parameter `$1` is the `last` key of the part before, null at first.
 * Each part is a transaction: writers wait for one part only, and what is done stays done. A sweep that was interrupted starts
 * again, so its statement leaves rows alone that are as they should be.
 */
export async function sweep(connection: Sql, file: SchemaFile, { bounded, note }: SweepOptions): Promise<void> {
  let [last, parts, notedAt]: [string | null, number, number] = [null, 0, performance.now()]
  for (let isAtEnd = false; !isAtEnd;) {
    await bounded(file.name, async () => {
      const [part] = await connection.unsafe<{ last: string }[]>(file.text, [last])
      isAtEnd = part === undefined
      last = part?.last ?? last
    })
    parts++
    if (performance.now() - notedAt < NOTE_EVERY_MS) continue
    notedAt = performance.now()
    note(`${file.name}: ${parts} parts are done.`)
  }
}
