// The table of aims in the README: what a baseline run found.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Report, isMet } from '../support/result.ts'
import { figure, markdown } from './table.ts'

const README = join(import.meta.dir, '../../README.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/** Each aim with what was seen: one line per row and aim. */
export function summaryOf({ rows, pros, machine, at, quick }: Report): string {
  const lines = rows.flatMap(({ title, aims }) =>
    aims
      .filter(({ target }) => target !== undefined)
      .map((aim, place) => {
        const { name, value, target, lessIsBetter, unit = '' } = aim
        const seen = `${figure(value.median)}${unit} ±${Math.round(value.spread * 100)} %`
        return [place === 0 ? title : '', name, seen, `${lessIsBetter ? '≤' : '≥'} ${target}`, isMet(aim) ? '✓' : '✗']
      }),
  )
  const head = `${pros.toLocaleString('en-US')} pros, ${machine.cores} cores that server, stores and clients share, PostgreSQL ${machine.postgres}, ${at.slice(0, 10)}, \`npm run bench${quick ? ' -- --quick' : ''}\`. Ratios are medians of rounds in turn, with their spread.`
  return `${head}\n\n${markdown([['what', 'figure', 'seen', 'aim', ''], ...lines])}`
}

/** Puts the table into the README. Throws when its place is not there. */
export function writeSummary(report: Report): void {
  const text = readFileSync(README, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`)
  writeFileSync(README, `${text.slice(0, begin + BEGIN.length)}\n\n${summaryOf(report)}\n\n${text.slice(end)}`)
}
