// Files of people as lines with named values: CSV with a line of names, or an object of JSON in each line. Read as a stream, and with
// bounds, because such a file may be of any size and form.
/** No person writes a longer line: most often a quotation mark is never closed. */
export const MAX_LINE = 65_536
export const MAX_TABLE_COLUMNS = 200

export interface TableLine {
  /** Where it begins in the file, counted from 1. */
  readonly line: number
  /** By the names as the file writes them, without spaces around them. */
  readonly values: Readonly<Record<string, string>>
  /** What is wrong with the line as a whole. Its values may be incomplete. */
  readonly fault?: string
}

export interface Table {
  readonly format: 'csv' | 'jsonl'
  /** The names of the columns of CSV in their order; empty for JSON lines, in which each line has its own. */
  readonly columns: readonly string[]
  readonly delimiter: string
  readonly lines: AsyncIterable<TableLine>
}

/** The file cannot be read from `line` on. The message says what is wrong with it: “is empty”, “has 300 columns: …”. */
export class TableFault extends Error {
  override readonly name = 'TableFault'

  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}
