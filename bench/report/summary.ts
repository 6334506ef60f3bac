// The table of aims in the README, written by a baseline run.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Report, isMet } from '../support/result.ts'
import { formatNumber, markdown } from './table.ts'

const README = join(import.meta.dir, '../../README.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/** A Markdown table with one line per aim. */
export function formatSummary({ rows, pros, machine, at, quick }: Report): string {
  const lines = rows.flatMap(({ title, aims }) =>
    aims
      .filter(({ target }) => target !== undefined)
      .map((aim, place) => {
        const { name, value, target, lessIsBetter, unit = '' } = aim
        const measured = `${formatNumber(value.median)}${unit} ±${Math.round(value.spread * 100)} %`
        return [
          place === 0 ? title : '',
          name,
          measured,
          `${lessIsBetter ? '≤' : '≥'} ${target}`,
          isMet(aim) ? '✓' : '✗',
        ]
      }),
  )
  const head = `${pros.toLocaleString('en-US')} pros, ${machine.cores} cores shared by server, stores and clients, PostgreSQL ${machine.postgres}, ${at.slice(0, 10)}, \`npm run bench${quick ? ' -- --quick' : ''}\`. Ratios are medians of alternating rounds, with their spread.`
  return `${head}\n\n${markdown([['scenario', 'metric', 'measured', 'aim', ''], ...lines])}`
}

/** Replaces the table in the README. Throws when the README lacks the markers. */
export function writeSummary(report: Report): void {
  const text = readFileSync(README, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin)
    throw new Error(`README.md lacks the markers of the benchmark table: ${BEGIN} … ${END}`)
  writeFileSync(README, `${text.slice(0, begin + BEGIN.length)}\n\n${formatSummary(report)}\n\n${text.slice(end)}`)
}
