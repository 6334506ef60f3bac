// An object of JSON in each line (https://jsonlines.org).
import { MAX_LINE, MAX_TABLE_COLUMNS, type Table, TableFault, type TableLine } from './lines.ts'

/** Reads the lines. While they are read, throws a {@link TableFault} for a line that is too long. */
export const readJsonLines = (text: AsyncIterable<string>): Table => ({
  format: 'jsonl',
  columns: [],
  delimiter: '',
  lines: linesOf(text),
})

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<TableLine> {
  let line = 0
  for await (const one of separated(text)) {
    line++
    if (one.length > MAX_LINE)
      throw new TableFault(line, `has more than ${MAX_LINE} characters in line ${line}: write one object in each line`)
    if (one.trim() !== '') yield { line, ...valuesOf(one) }
  }
}

/** The lines of a text. One that is too long is not put together. */
async function* separated(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_LINE) break
  }
  yield rest
}

function valuesOf(text: string): Omit<TableLine, 'line'> {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return { values: {}, fault: 'is not JSON' }
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    return { values: {}, fault: 'is not an object of JSON' }
  const entries = Object.entries(found)
  if (entries.length > MAX_TABLE_COLUMNS)
    return { values: {}, fault: `has ${entries.length} names. It may have up to ${MAX_TABLE_COLUMNS}` }
  return { values: Object.fromEntries(entries.map(([name, value]) => [name.trim(), textOf(value)])) }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
