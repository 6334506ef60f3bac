// The report as one page that needs nothing else: figures as bars, rounds as lines, aims at a glance.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Aim, type Chart, type Figures, type Report, type Row, isMet } from '../support/result.ts'
import type { Estimate } from '../support/statistics.ts'
import { BENCH_FOLDER, ROOT } from '../support/stores.ts'
import type { Change } from './baseline.ts'
import { figure } from './table.ts'

/** Where the page of the last report is. */
export const PAGE_FILE = join(BENCH_FOLDER, 'report.html')

const read = (path: string) => readFileSync(path, 'utf8')
const own = (name: string) => read(join(import.meta.dir, name))
const plot = (name: string) => read(join(ROOT, 'node_modules/uplot/dist', name))

/** Writes the page. */
export const writePage = (report: Report, changes: readonly Change[]): void =>
  writeFileSync(PAGE_FILE, pageOf(report, changes))

function pageOf(report: Report, changes: readonly Change[]): string {
  const { machine, pros, at, commit, quick, rows } = report
  const aims = rows.flatMap((row) => row.aims.flatMap((aim) => isMet(aim) ?? []))
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hearth: benchmarks</title>
<style>${plot('uPlot.min.css')}${own('page.css')}</style>
<main>
<header><h1>Hearth: benchmarks</h1>
<p class="count">${aims.filter(Boolean).length} of ${aims.length} aims reached${quick ? ', in the quick form' : ''}, with ${pros.toLocaleString('en-US')} pros.</p>
<p>${text(at.slice(0, 16).replace('T', ' '))} UTC · commit ${text(commit)} · ${machine.cores} × ${text(machine.cpu)}, ${machine.memoryGb} GB · PostgreSQL ${text(machine.postgres)}. Clients, servers and stores share the machine: read the ratios.</p></header>
${summary(rows, changes)}
${rows.map(section).join('\n')}
</main>
<script>${plot('uPlot.iife.min.js')}</script>
<script>${own('page-charts.js')}</script>
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
<tr><th>what<th>measured<th class="n">aim<th><th class="n">baseline</tr>
${lines.join('\n')}</table></section>`
}

function aimLine(row: Row, aim: Aim, change: Change | undefined): string {
  const { name, value, target, lessIsBetter } = aim
  const met = isMet(aim)
  const mark =
    met === undefined
      ? '<span class="told">told</span>'
      : met
        ? '<span class="met">✓</span>'
        : '<span class="missed">✗</span>'
  const before = change
    ? `${figure(change.before)} ${change.verdict === 'same' ? '' : `<span class="${change.verdict === 'worse' ? 'missed' : 'met'}">${change.verdict}</span>`}`
    : ''
  return `<tr><td class="what"><a href="#${row.id}">${text(row.title)}</a>
<td>${mark} <b>${figure(value.median)}</b> ${text(name)} <small>±${percent(value)}</small>
<td class="n">${target === undefined ? '' : `${lessIsBetter ? '≤' : '≥'} ${target}`}<td>${gauge(aim)}<td class="n">${before}</tr>`
}

/** How far the value is on the way to its target, which is marked. */
function gauge(aim: Aim): string {
  const { value, target } = aim
  if (target === undefined) return ''
  const most = Math.max(value.median, target) * 1.15
  const share = (part: number) => `${((part / most) * 100).toFixed(1)}%`
  return `<div class="gauge${isMet(aim) ? '' : ' no'}"><i style="width:${share(value.median)}"></i><b style="left:${share(target)}"></b></div>`
}

function section(row: Row): string {
  const { id, title, figures, aims, remark, chart } = row
  const said = aims.map((aim) => {
    const met = isMet(aim)
    return `<span class="${met === undefined ? 'told' : met ? 'met' : 'missed'}">${figure(aim.value.median)}</span> ${text(aim.name)}`
  })
  const parts = figures.some(({ cpuParts }) => cpuParts)
  return `<section id="${id}"><h2>${text(title)}</h2><p>${said.join(' · ')}</p>
${remark ? `<p class="remark">${text(remark)}</p>` : ''}
<div class="columns">
${figures.length > 0 ? `<div><h3>Answers per second</h3>${bars(figures, ({ perSecond }) => perSecond)}</div>` : ''}
${parts ? `<div><h3>CPU time per answer, µs <span class="legend">${legend()}</span></h3>${cpuBars(figures)}</div>` : ''}
</div>
${figures.length > 0 ? latencies(figures) : ''}
${chart ? lines(chart) : rounds(figures)}
</section>`
}

function bars(figures: readonly Figures[], of: (figures: Figures) => Estimate | undefined): string {
  const most = Math.max(...figures.map((one) => of(one)?.median ?? 0))
  return grid(
    figures.map((one) => {
      const value = of(one)
      const width = (((value?.median ?? 0) / most) * 100).toFixed(1)
      return [
        one.name,
        `<div class="bar${isOurs(one.name)}" style="width:${width}%"></div>`,
        value ? `${figure(value.median)} <small>±${percent(value)}</small>` : '',
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

function cpuBars(figures: readonly Figures[]): string {
  const most = Math.max(...figures.map(({ cpuUs }) => cpuUs?.median ?? 0))
  return grid(
    figures.map(({ name, cpuParts, cpuUs }) => {
      const pieces = PARTS.map(
        ([part]) =>
          `<i style="width:${(((cpuParts?.[part] ?? 0) / most) * 100).toFixed(1)}%;background:var(--${part})"></i>`,
      )
      return [name, `<div class="bar split">${pieces.join('')}</div>`, cpuUs ? figure(cpuUs.median) : '']
    }),
  )
}

const grid = (cells: readonly (readonly [name: string, bar: string, value: string])[]) =>
  `<div class="bars">${cells.map(([name, bar, value]) => `<div class="name${isOurs(name)}">${text(name)}</div><div>${bar}</div><div class="value">${value}</div>`).join('')}</div>`

/** Of a core. */
const BUSY_CLIENT = 0.9

function latencies(figures: readonly Figures[]): string {
  const known = figures.filter(({ p50Ms }) => p50Ms)
  if (known.length === 0) return ''
  const saturated = known.some(({ clientCores }) => (clientCores?.median ?? 0) > BUSY_CLIENT)
  const cell = (value: Estimate | undefined) => `<td class="n">${value ? figure(value.median) : ''}`
  return `<details><summary>Latencies and clients</summary><table><tr><th><th class="n">p50 ms<th class="n">p99 ms<th class="n">cores per client</tr>
${known.map(({ name, p50Ms, p99Ms, clientCores }) => `<tr><td>${text(name)}${cell(p50Ms)}${cell(p99Ms)}${cell(clientCores)}</tr>`).join('')}</table>
${saturated ? '<p class="remark">A client that uses a whole core is the limit of the rate: CPU time per answer says more.</p>' : ''}</details>`
}

function rounds(figures: readonly Figures[]): string {
  const known = figures.flatMap(({ name, rates }) => (rates && rates.length > 1 ? [{ name, values: rates }] : []))
  if (known.length === 0) return ''
  const x = known[0]?.values.map((_, round) => round + 1) ?? []
  const [least, most] = [
    Math.min(...known.flatMap(({ values }) => values)),
    Math.max(...known.flatMap(({ values }) => values)),
  ]
  return `<details><summary>Round by round</summary>${lines({ xLabel: 'round', yLabel: '/s', x, lines: known }, most / least > 8)}</details>`
}

const lines = (chart: Chart, log = false) => `<div data-chart="${text(JSON.stringify({ ...chart, log }))}"></div>`

const isOurs = (name: string) => (name.startsWith('Hearth') ? ' ours' : '')

const percent = ({ spread }: Estimate) => `${Math.round(spread * 100)} %`

const text = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
