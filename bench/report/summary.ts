// The table of figures in bench/README.md, written from the baseline.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Aim, isMet } from '../support/result.ts'
import { type Baseline, type BaselineRow, type BaselineRun, findAim, sizeOf } from './baseline.ts'
import { formatNumber, markdown } from './table.ts'

const FILE = join(import.meta.dir, '../README.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/**
 * A Markdown table with one line per figure, in a quiet run and, where there is one, in a run on a noisy day. A figure that only
 * one of them measured is listed too.
 */
export function formatSummary({ full, noisy }: Baseline): string {
  if (!full) return ''
  const runs = noisy ? [full, noisy] : [full]
  const lines = rowsOf(runs).flatMap((row) =>
    row.aims.map((aim, place) => [
      place === 0 ? row.title : '',
      aim.name,
      ...runs.map((run) => measured(run, row, aim)),
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
    'reached',
    'command',
  ]
  return `${introduction(full, noisy)}\n\n${markdown([head, ...lines])}`
}

/** Every row and figure of the runs once, with the value of the first run that has it, in the order of the last run. */
function rowsOf(runs: readonly BaselineRun[]): BaselineRow[] {
  const ids = new Set(runs.toReversed().flatMap(({ rows }) => rows.map(({ id }) => id)))
  return [...ids].flatMap((id) => {
    const same = runs.flatMap(({ rows }) => rows.filter((row) => row.id === id))
    const aims = new Map(same.toReversed().flatMap((row) => row.aims.map((aim) => [aim.name, aim])))
    return same.slice(0, 1).map((row) => ({ ...row, aims: [...aims.values()] }))
  })
}

function introduction({ pros, machine, ...full }: BaselineRun, noisy: BaselineRun | undefined): string {
  const against = full.against ?? noisy?.against
  const commits = `Measured at commit ${full.commit}${noisy ? ` (quiet) and ${noisy.commit} (noisy)` : ''}: later changes may be faster or slower.`
  const older = against === undefined ? '' : ` The older build is ${against} (\`--against ${against}\`).`
  return `${pros.toLocaleString('en-US')} pros, ${machine.cores} cores shared by server, stores and clients, PostgreSQL ${machine.postgres.split(' ')[0]}. ${commits} Ratios are medians of alternating rounds, with their spread. A command is what follows \`npm run bench --\`.${older}`
}

/** What follows `npm run bench --` to measure a row again. */
export function commandOf({ id, scenario = '' }: Pick<BaselineRow, 'id' | 'scenario'>): string {
  const pros = sizeOf(id)
  return pros === undefined ? scenario : `${scenario} --pros ${pros}`
}

function measured(run: BaselineRun, { id }: BaselineRow, { name }: Aim): string {
  const row = run.rows.find((one) => one.id === id)
  const aim = findAim(run, id, name)
  if (!row || !aim) return ''
  return row.on === run.on ? format(aim) : `${format(aim)} (${row.on})`
}

const format = ({ value, unit = '' }: Aim) =>
  `${formatNumber(value.median)}${unit}${value.rounds > 1 ? ` ±${Math.round(value.spread * 100)}%` : ''}`

const target = ({ target: bound, lessIsBetter }: Aim) =>
  bound === undefined ? '' : `${lessIsBetter ? '≤' : '≥'} ${bound.toLocaleString('en-US')}`

const mark = (aim: Aim) => (isMet(aim) ? '✓' : '')

/** Replaces the table in bench/README.md. Throws when the file lacks the markers. */
export function writeSummary(baseline: Baseline): void {
  const text = readFileSync(FILE, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin)
    throw new Error(`bench/README.md lacks the markers of the benchmark table: ${BEGIN} … ${END}`)
  writeFileSync(FILE, `${text.slice(0, begin + BEGIN.length)}\n\n${formatSummary(baseline)}\n\n${text.slice(end)}`)
}
