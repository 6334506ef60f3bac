// The lines of a file that were refused, as a file of the same form with what is wrong with each: to correct, and to import again.
import { csvLine } from '../../../../platform/text/tables/csv.ts'
import type { Table } from '../../../../platform/text/tables/lines.ts'
import { ERRORS_COLUMN, LINE_COLUMN } from '../rules/columns.ts'
import type { LineFault, RefusedLine } from '../schemas.ts'

type Form = Pick<Table, 'format' | 'columns' | 'delimiter'>

/** "email must be an e-mail address; radius must be …" */
export const faultText = (faults: readonly LineFault[]): string =>
  faults.map(({ column, message }) => [column, message].filter(Boolean).join(' ')).join('; ')

/** The first line of the file; empty for JSON lines. */
export const headOfRefused = ({ format, columns, delimiter }: Form): string =>
  format === 'csv' ? csvLine([...namesOf(columns), LINE_COLUMN, ERRORS_COLUMN], delimiter) : ''

/** One refused line. */
export function refusedLine({ format, columns, delimiter }: Form, { line, values, faults }: RefusedLine): string {
  const text = faultText(faults)
  return format === 'csv'
    ? csvLine([...namesOf(columns).map((name) => values[name] ?? ''), String(line), text], delimiter)
    : `${JSON.stringify({ ...values, [LINE_COLUMN]: line, [ERRORS_COLUMN]: text })}\n`
}

/** A file that was corrected has these columns already. */
const namesOf = (columns: readonly string[]) => columns.filter((name) => name !== LINE_COLUMN && name !== ERRORS_COLUMN)
