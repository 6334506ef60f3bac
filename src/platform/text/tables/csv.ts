// CSV (RFC 4180) with a line of names. Commas, semicolons and tabs separate values, as spreadsheets of different countries write them.
import { CsvError, parse } from 'csv-parse'

import { MAX_LINE, MAX_TABLE_COLUMNS, type Table, TableFault, type TableLine } from './lines.ts'

const DELIMITERS = [',', ';', '\t']

interface Parsed {
  readonly record: readonly string[]
  /** Of the file, up to the end of the record. */
  readonly lines: number
}

/** Reads the names of the columns. `head` is the first line. Throws a {@link TableFault}. */
export async function readCsv(text: AsyncIterable<string>, { head }: { head: string }): Promise<Table> {
  const count = (delimiter: string) => head.split(delimiter).length
  const delimiter = DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
  const records = recordsOf(text, delimiter)
  const names = (await records.next()).value
  const columns = names ? names.record.map((name) => name.trim()) : []
  if (columns.length > MAX_TABLE_COLUMNS)
    throw new TableFault(1, `has ${columns.length} columns: it may have up to ${MAX_TABLE_COLUMNS}`)
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined) throw new TableFault(1, `has the column ${twice} twice: remove one`)
  return { format: 'csv', columns, delimiter, lines: linesOf(records, columns) }
}

async function* linesOf(records: AsyncIterable<Parsed>, columns: readonly string[]): AsyncGenerator<TableLine> {
  for await (const { record, lines } of records) {
    if (record.every((value) => value.trim() === '')) continue
    const line = lines - record.join('').split(/\r\n|\r|\n/).length + 1
    const values = Object.fromEntries(columns.map((name, at) => [name, unescaped(record[at] ?? '')]))
    const surplus = record.slice(columns.length).some((value) => value.trim() !== '')
    if (surplus)
      yield { line, values, fault: `has ${record.length} values, and the first line names ${columns.length} columns` }
    else yield { line, values }
  }
}

/** The records of the text. Those before a fault are all there: a parser that is read as a stream loses some of them. */
async function* recordsOf(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Parsed, undefined> {
  let parsed: Parsed[] = []
  const parser = parse({
    delimiter,
    max_record_size: MAX_LINE,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (record: string[], { lines }) => {
      parsed.push({ record, lines })
      return null
    },
  })
  const ended = Promise.withResolvers<Error | undefined>()
  parser
    .on('error', (error) => ended.resolve(faultOf(error)))
    .on('finish', () => ended.resolve(undefined))
    .resume()
  try {
    for await (const chunk of text) {
      const fault = await new Promise<Error | undefined>((resolve) =>
        parser.write(chunk, (error) => resolve(error ? faultOf(error) : undefined)),
      )
      yield* parsed
      if (fault) throw fault
      parsed = []
    }
    parser.end()
    const fault = await ended.promise
    yield* parsed
    if (fault) throw fault
  } finally {
    parser.destroy()
  }
}

/** An error of the parser in words; any other as it is. */
function faultOf(error: Error): Error {
  if (!(error instanceof CsvError)) return error
  const line = typeof error['lines'] === 'number' ? error['lines'] : 1
  const problem = error.code === 'CSV_MAX_RECORD_SIZE' ? `has more than ${MAX_LINE} characters` : 'is not CSV'
  return new TableFault(line, `${problem} in line ${line}: look for a quotation mark that is not closed`)
}

/** Spreadsheets run what begins so. A number, also that of a phone, is no formula. */
const isFormula = (value: string) => /^[=+\-@\t\r]/.test(value) && !/^[+-]?[\d\s().-]+$/.test(value)

/** A value of {@link csvLine} as it was. */
const unescaped = (value: string) => (value.startsWith("'") && isFormula(value.slice(1)) ? value.slice(1) : value)

/** One line of CSV. A value that a spreadsheet would run gets an apostrophe, which reading the file removes. */
export const csvLine = (values: readonly string[], delimiter: string): string =>
  `${values.map((value) => quoted(isFormula(value) ? `'${value}` : value, delimiter)).join(delimiter)}\r\n`

const quoted = (value: string, delimiter: string) =>
  value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
