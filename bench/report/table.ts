// The report as a table in Markdown, for the terminal and the README.
import { type Aim, type Figures, type Report, type Row, isMet } from '../support/result.ts'
import type { Estimate } from '../support/statistics.ts'

/** Everything that was measured. */
export function tableOf({ rows }: Report): string {
  return rows
    .map((row) =>
      [row.title, ...(row.figures.length > 0 ? [figuresTable(row)] : []), ...row.aims.map(aimLine), ''].join('\n'),
    )
    .join('\n')
}

function figuresTable({ figures }: Row): string {
  const lines = figures.map(({ name, perSecond, p50Ms, p99Ms, cpuUs, cpuParts, clientCores }: Figures) => {
    const parts = cpuParts ? `${round(cpuParts.server)} + ${round(cpuParts.postgres)} + ${round(cpuParts.redis)}` : ''
    return [
      name,
      within(perSecond),
      within(p50Ms),
      within(p99Ms),
      within(cpuUs),
      parts,
      clientCores ? figure(clientCores.median) : '',
    ]
  })
  return markdown([
    ['', 'per second', 'p50 ms', 'p99 ms', 'CPU µs', 'server + PostgreSQL + Redis', 'cores per client'],
    ...lines,
  ])
}

function aimLine(aim: Aim): string {
  const { name, value, target, lessIsBetter, unit = '' } = aim
  const met = isMet(aim)
  const mark = met === undefined ? ' ' : met ? '✓' : '✗'
  const wanted = target === undefined ? '' : `, aim ${lessIsBetter ? '≤' : '≥'} ${target}`
  return `${mark} ${figure(value.median)}${unit} ${name} (±${Math.round(value.spread * 100)} %${wanted})`
}

/** A table; the first line is its head. Columns but the first are aligned to the right. */
export function markdown(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)))
  const row = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const [head = [], ...rest] = lines
  return [row(head), rule, ...rest.map(row)].join('\n')
}

const within = (value: Estimate | undefined): string =>
  value === undefined ? '' : `${figure(value.median)} ±${Math.round(value.spread * 100)} %`

/** Three digits that mean something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const round = (value: number): string => String(Math.round(value))
