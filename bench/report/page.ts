// The report as one self-contained HTML page: aims in a table, rates and CPU time as bars, rounds as lines.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Aim, type Chart, type Metrics, type Report, type Row, isMet } from '../support/result.ts'
import type { Estimate } from '../support/statistics.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'
import type { Change } from './baseline.ts'
import { formatNumber } from './table.ts'

/** The page of the last report. */
export const PAGE_FILE = join(BENCH_FOLDER, 'report.html')

const read = (path: string) => readFileSync(path, 'utf8')
const readOwn = (name: string) => read(join(import.meta.dir, name))
const readUplot = (name: string) => read(join(ROOT, 'node_modules/uplot/dist', name))

/** Writes the page. */
export const writePage = (report: Report, changes: readonly Change[]): void =>
  writeFileSync(PAGE_FILE, renderPage(report, changes))

function renderPage(report: Report, changes: readonly Change[]): string {
  const { machine, pros, at, commit, against, quick, rows } = report
  const aims = rows.flatMap((row) => row.aims.flatMap((aim) => isMet(aim) ?? []))
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hearth: benchmarks</title>
<style>${readUplot('uPlot.min.css')}${readOwn('page.css')}</style>
<main>
<header><h1>Hearth: benchmarks</h1>
<p class="count">${aims.filter(Boolean).length} of ${aims.length} aims met${quick ? ' in a quick run' : ''} with ${pros.toLocaleString('en-US')} pros.</p>
<p>${text(at.slice(0, 16).replace('T', ' '))} UTC · commit ${text(commit)}${against === undefined ? '' : `, older build ${text(against)}`} · ${machine.cores} × ${text(machine.cpu)}, ${machine.memoryGb} GB · PostgreSQL ${text(machine.postgres)}. Clients, servers and stores share the machine, so compare ratios rather than rates.</p></header>
${summary(rows, changes)}
${rows.map(section).join('\n')}
</main>
<script>${readUplot('uPlot.iife.min.js')}</script>
<script>${readOwn('page-charts.js')}</script>
</html>
`
}

function summary(rows: readonly Row[], changes: readonly Change[]): string {
  const lines = rows.flatMap((row) =>
    row.aims.map((aim) =>
      aimLine(
        row,
        aim,
        changes.find((change) => change.row === row.id && change.aim === aim.name),
      ),
    ),
  )
  return `<section><h2>Aims</h2><table>
<tr><th>Scenario<th>Measured<th class="n">Aim<th><th class="n">Baseline</tr>
${lines.join('\n')}</table></section>`
}

function aimLine(row: Row, aim: Aim, change: Change | undefined): string {
  const { name, value, target, lessIsBetter } = aim
  const met = isMet(aim)
  const mark =
    met === undefined
      ? '<span class="info">info</span>'
      : met
        ? '<span class="met">✓</span>'
        : '<span class="missed">✗</span>'
  const before = change
    ? `${formatNumber(change.before)} ${change.verdict === 'same' ? '' : `<span class="${change.verdict === 'worse' ? 'missed' : 'met'}">${change.verdict}</span>`}`
    : ''
  return `<tr><td class="scenario"><a href="#${row.id}">${text(row.title)}</a>
<td>${mark} <b>${formatNumber(value.median)}</b> ${text(name)} <small>±${percent(value)}</small>
<td class="n">${target === undefined ? '' : `${lessIsBetter ? '≤' : '≥'} ${target}`}<td>${gauge(aim)}<td class="n">${before}</tr>`
}

/** A bar of the value with a mark at its target. */
function gauge(aim: Aim): string {
  const { value, target } = aim
  if (target === undefined) return ''
  const scale = Math.max(value.median, target) * 1.15
  const share = (part: number) => `${((part / scale) * 100).toFixed(1)}%`
  return `<div class="gauge${isMet(aim) ? '' : ' missed'}"><i style="width:${share(value.median)}"></i><b style="left:${share(target)}"></b></div>`
}

function section(row: Row): string {
  const { id, title, metrics, aims, remark, chart } = row
  const results = aims.map((aim) => {
    const met = isMet(aim)
    return `<span class="${met === undefined ? 'info' : met ? 'met' : 'missed'}">${formatNumber(aim.value.median)}</span> ${text(aim.name)}`
  })
  const parts = metrics.some(({ cpuParts }) => cpuParts)
  return `<section id="${id}"><h2>${text(title)}</h2><p>${results.join(' · ')}</p>
${remark ? `<p class="remark">${text(remark)}</p>` : ''}
<div class="columns">
${metrics.length > 0 ? `<div><h3>Responses per second</h3>${bars(metrics, ({ perSecond }) => perSecond)}</div>` : ''}
${parts ? `<div><h3>CPU time per response, µs <span class="legend">${legend()}</span></h3>${cpuBars(metrics)}</div>` : ''}
</div>
${metrics.length > 0 ? latencies(metrics) : ''}
${chart ? lines(chart) : rounds(metrics)}
</section>`
}

function bars(metrics: readonly Metrics[], of: (metrics: Metrics) => Estimate | undefined): string {
  const max = Math.max(...metrics.map((one) => of(one)?.median ?? 0))
  return grid(
    metrics.map((one) => {
      const value = of(one)
      const width = (((value?.median ?? 0) / max) * 100).toFixed(1)
      return [
        one.name,
        `<div class="bar${isOurs(one.name)}" style="width:${width}%"></div>`,
        value ? `${formatNumber(value.median)} <small>±${percent(value)}</small>` : '',
      ]
    }),
  )
}

const PARTS = [
  ['server', 'server'],
  ['postgres', 'PostgreSQL'],
  ['redis', 'Redis'],
] as const

const legend = () => PARTS.map(([part, name]) => `<i style="background:var(--${part})"></i>${name}`).join('')

function cpuBars(metrics: readonly Metrics[]): string {
  const max = Math.max(...metrics.map(({ cpuUs }) => cpuUs?.median ?? 0))
  return grid(
    metrics.map(({ name, cpuParts, cpuUs }) => {
      const pieces = PARTS.map(
        ([part]) =>
          `<i style="width:${(((cpuParts?.[part] ?? 0) / max) * 100).toFixed(1)}%;background:var(--${part})"></i>`,
      )
      return [name, `<div class="bar split">${pieces.join('')}</div>`, cpuUs ? formatNumber(cpuUs.median) : '']
    }),
  )
}

const grid = (cells: readonly (readonly [name: string, bar: string, value: string])[]) =>
  `<div class="bars">${cells.map(([name, bar, value]) => `<div class="name${isOurs(name)}">${text(name)}</div><div>${bar}</div><div class="value">${value}</div>`).join('')}</div>`

/** The share of a core above which a load client limits the rate. */
const BUSY_CLIENT = 0.9

function latencies(metrics: readonly Metrics[]): string {
  const measured = metrics.filter(({ p50Ms }) => p50Ms)
  if (measured.length === 0) return ''
  const saturated = measured.some(({ clientCores }) => (clientCores?.median ?? 0) > BUSY_CLIENT)
  const cell = (value: Estimate | undefined) => `<td class="n">${value ? formatNumber(value.median) : ''}`
  return `<details><summary>Latencies and clients</summary><table><tr><th><th class="n">p50 ms<th class="n">p99 ms<th class="n">samples<th class="n">cores per client</tr>
${measured.map(({ name, p50Ms, p99Ms, samples, clientCores }) => `<tr><td>${text(name)}${cell(p50Ms)}${cell(p99Ms)}${cell(samples)}${cell(clientCores)}</tr>`).join('')}</table>
${saturated ? '<p class="remark">A load client that uses a whole core limits the rate. Compare CPU time per response instead.</p>' : ''}</details>`
}

function rounds(metrics: readonly Metrics[]): string {
  const withRates = metrics.flatMap(({ name, rates }) => (rates && rates.length > 1 ? [{ name, values: rates }] : []))
  if (withRates.length === 0) return ''
  const x = withRates[0]?.values.map((_, round) => round + 1) ?? []
  const [min, max] = [
    Math.min(...withRates.flatMap(({ values }) => values)),
    Math.max(...withRates.flatMap(({ values }) => values)),
  ]
  return `<details><summary>Round by round</summary>${lines({ xLabel: 'round', yLabel: '/s', x, lines: withRates }, max / min > 8)}</details>`
}

const lines = (chart: Chart, log = false) => `<div data-chart="${text(JSON.stringify({ ...chart, log }))}"></div>`

const isOurs = (name: string) => (name.startsWith('Hearth') ? ' ours' : '')

const percent = ({ spread }: Estimate) => `${Math.round(spread * 100)}%`

const text = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
