// The report as a table in Markdown, for the terminal and bench/README.md.
import { type Aim, type Metrics, type Report, type Row, isMet } from '../support/result.ts'
import type { Estimate } from '../support/statistics.ts'

/** All rows with their metrics and aims. */
export function formatReport({ rows }: Report): string {
  return rows
    .map((row) =>
      [row.title, ...(row.metrics.length > 0 ? [metricsTable(row)] : []), ...row.aims.map(aimLine), ''].join('\n'),
    )
    .join('\n')
}

function metricsTable({ metrics }: Row): string {
  const lines = metrics.map(({ name, perSecond, p50Ms, p99Ms, samples, cpuUs, cpuParts, clientCores }: Metrics) => {
    const parts = cpuParts ? `${round(cpuParts.server)} + ${round(cpuParts.postgres)} + ${round(cpuParts.redis)}` : ''
    return [
      name,
      formatEstimate(perSecond),
      formatEstimate(p50Ms),
      formatEstimate(p99Ms),
      samples ? formatNumber(samples.median) : '',
      formatEstimate(cpuUs),
      parts,
      clientCores ? formatNumber(clientCores.median) : '',
    ]
  })
  return markdown([
    ['', 'responses/s', 'p50 ms', 'p99 ms', 'samples', 'CPU µs', 'server + PostgreSQL + Redis', 'cores per client'],
    ...lines,
  ])
}

function aimLine(aim: Aim): string {
  const { name, value, target, lessIsBetter, unit = '' } = aim
  const met = isMet(aim)
  const mark = met === undefined ? ' ' : met ? '✓' : '✗'
  const goal = target === undefined ? '' : `, aim ${lessIsBetter ? '≤' : '≥'} ${target}`
  return `${mark} ${formatNumber(value.median)}${unit} ${name} (±${Math.round(value.spread * 100)}%${goal})`
}

/** A Markdown table. The first line is the header. All columns except the first are right-aligned. */
export function markdown(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)))
  const row = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const [head = [], ...rest] = lines
  return [row(head), rule, ...rest.map(row)].join('\n')
}

const formatEstimate = (value: Estimate | undefined): string =>
  value === undefined ? '' : `${formatNumber(value.median)} ±${Math.round(value.spread * 100)}%`

/** Formats a number with three significant digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const round = (value: number): string => String(Math.round(value))
