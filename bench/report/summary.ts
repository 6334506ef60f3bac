// The table of figures in the README, written from the baseline.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Aim, isMet } from '../support/result.ts'
import { type Baseline, type BaselineRow, type BaselineRun, findAim, sizeOf } from './baseline.ts'
import { formatNumber, markdown } from './table.ts'

const README = join(import.meta.dir, '../../README.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/** A Markdown table with one line per figure, in a quiet run and, where there is one, in a run on a noisy day. */
export function formatSummary({ full, noisy }: Baseline): string {
  if (!full) return ''
  const lines = full.rows.flatMap((row) =>
    row.aims.map((aim, place) => [
      place === 0 ? row.title : '',
      aim.name,
      measured(aim, row, full),
      ...(noisy ? [noisyValue(noisy, row, aim)] : []),
      target(aim),
      mark(aim),
      place === 0 ? `\`${commandOf(row)}\`` : '',
    ]),
  )
  const head = [
    'scenario',
    'figure',
    `quiet, ${full.on}`,
    ...(noisy ? [`noisy, ${noisy.on}`] : []),
    'aim',
    '',
    'command',
  ]
  return `${introduction(full)}\n\n${markdown([head, ...lines])}`
}

function introduction({ pros, machine, against }: BaselineRun): string {
  const older = against === undefined ? '' : ` The older build is ${against} (\`--against ${against}\`).`
  return `${pros.toLocaleString('en-US')} pros, ${machine.cores} cores shared by server, stores and clients, PostgreSQL ${machine.postgres.split(' ')[0]}. Ratios are medians of alternating rounds, with their spread. A command is what follows \`npm run bench --\`.${older}`
}

/** What follows `npm run bench --` to measure a row again. */
export function commandOf({ id, scenario = '' }: Pick<BaselineRow, 'id' | 'scenario'>): string {
  const pros = sizeOf(id)
  return pros === undefined ? scenario : `${scenario} --pros ${pros}`
}

const measured = (aim: Aim, { on }: BaselineRow, run: BaselineRun) =>
  on === run.on ? format(aim) : `${format(aim)} (${on})`

function noisyValue(run: BaselineRun, { id }: BaselineRow, { name }: Aim): string {
  const aim = findAim(run, id, name)
  return aim ? format(aim) : ''
}

const format = ({ value, unit = '' }: Aim) =>
  `${formatNumber(value.median)}${unit}${value.rounds > 1 ? ` ±${Math.round(value.spread * 100)} %` : ''}`

const target = ({ target: bound, lessIsBetter }: Aim) =>
  bound === undefined ? '' : `${lessIsBetter ? '≤' : '≥'} ${bound.toLocaleString('en-US')}`

function mark(aim: Aim): string {
  const met = isMet(aim)
  return met === undefined ? '' : met ? '✓' : '✗'
}

/** Replaces the table in the README. Throws when the README lacks the markers. */
export function writeSummary(baseline: Baseline): void {
  const text = readFileSync(README, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin)
    throw new Error(`README.md lacks the markers of the benchmark table: ${BEGIN} … ${END}`)
  writeFileSync(README, `${text.slice(0, begin + BEGIN.length)}\n\n${formatSummary(baseline)}\n\n${text.slice(end)}`)
}
