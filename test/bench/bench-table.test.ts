// The committed baseline and the table that the README shows of it.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  type BaselineRun,
  compareWithBaseline,
  estimateSeconds,
  mergeRun,
  readBaseline,
} from '../../bench/report/baseline.ts'
import { formatSummary } from '../../bench/report/summary.ts'
import { oldBuildAims } from '../../bench/support/old-build-contender.ts'
import { type Aim, type Report, type Row, listMissed } from '../../bench/support/result.ts'
import type { Sample } from '../../bench/support/rounds.ts'

const machine = { cpu: 'test', cores: 2, memoryGb: 8, postgres: '15.20 (Debian)' }
const aim = (name: string, median: number, more: Partial<Aim> = {}): Aim => {
  return { name, value: { median, spread: 0.02, rounds: 5 }, ...more }
}
const row = (scenario: string, aims: Aim[], id = scenario): Row => {
  return { id, scenario, title: `GET /${scenario}`, metrics: [], aims }
}
const report = (rows: Row[], more: Partial<Report> = {}): Report => {
  return {
    at: '2026-11-22T19:05:00Z',
    commit: '1234567',
    machine,
    pros: 1_000_000,
    quick: false,
    seconds: {},
    rows,
    ...more,
  }
}
const all = ['search', 'growth', 'deliveries']
const whole = { all, selected: all, failed: [] }

const linesOf = (table: string) =>
  table.split('\n').flatMap((line) =>
    line.startsWith('|')
      ? [
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ]
      : [],
  )

describe('the table', () => {
  const quiet = mergeRun(
    undefined,
    report(
      [
        row('search', [
          aim('× pgbench', 0.7, { target: 0.75 }),
          aim('× the older build', 1.5, { isListed: true }),
          aim('× other', 1),
        ]),
        row('deliveries', [aim('p99', 21, { unit: ' ms', lessIsBetter: true, target: 50 })]),
      ],
      { against: '4e2c153' },
    ),
    whole,
  )

  test('shows each figure with its aim, whether it is met, and the command that measures it', () => {
    const [head, , missed, listed, met] = linesOf(formatSummary({ full: quiet }))
    expect(head).toEqual(['scenario', 'figure', 'quiet, 2026-11-22', 'aim', 'reached', 'command'])
    expect(missed).toEqual(['GET /search', '× pgbench', '0.70 ±2%', '≥ 0.75', '', '`search`'])
    expect(listed).toEqual(['', '× the older build', '1.50 ±2%', '', '', ''])
    expect(met).toEqual(['GET /deliveries', 'p99', '21.0 ms ±2%', '≤ 50', '✓', '`deliveries`'])
    expect(formatSummary({ full: quiet })).toContain('Measured at commit 1234567: ')
    expect(formatSummary({ full: quiet })).toContain('The older build is 4e2c153 (`--against 4e2c153`).')
    expect(formatSummary({ full: quiet })).not.toContain('× other')
  })

  test('has a second column of a noisy day, with its own date, once there is such a run', () => {
    const noisy = mergeRun(
      undefined,
      report([row('search', [aim('× pgbench', 0.5, { target: 0.75 })])], { at: '2026-11-20T12:00:00Z' }),
      {
        all,
        selected: ['search'],
        failed: [],
      },
    )
    const [head, , search, , deliveries] = linesOf(formatSummary({ full: quiet, noisy }))
    expect(head?.slice(2, 4)).toEqual(['quiet, 2026-11-22', 'noisy, 2026-11-20'])
    expect(search?.slice(2, 4)).toEqual(['0.70 ±2%', '0.50 ±2%'])
    expect(deliveries?.slice(2, 4)).toEqual(['21.0 ms ±2%', ''])
  })

  test('dates a row that was measured on another day than the others', () => {
    const later = mergeRun(
      quiet,
      report([row('deliveries', [aim('p99', 30, { unit: ' ms', isListed: true })])], { at: '2026-12-01T00:00:00Z' }),
      {
        all,
        selected: ['deliveries'],
        failed: [],
      },
    )
    expect(formatSummary({ full: later })).toContain('30.0 ms ±2% (2026-12-01)')
    expect(formatSummary({ full: later })).toContain('quiet, 2026-11-22')
  })

  test('of the committed baseline stands in bench/README.md', async () => {
    expect(await Bun.file(join(import.meta.dir, '../../bench/README.md')).text()).toContain(
      formatSummary(readBaseline()),
    )
  })
})

describe('a run of the benchmarks', () => {
  const before = mergeRun(
    undefined,
    report([row('search', [aim('a', 1, { target: 1 })]), row('growth', [aim('a', 1, { target: 1 })])]),
    whole,
  )

  test('keeps the earlier rows of a scenario that failed, and drops those of one that no longer has them', () => {
    const rows = [row('deliveries', [aim('a', 2, { target: 1 })])]
    expect(mergeRun(before, report(rows), { ...whole, failed: ['search'] }).rows.map(({ id }) => id)).toEqual([
      'search',
      'deliveries',
    ])
  })

  test('with another number of pros adds rows, and leaves the others and the head of the table', () => {
    const rows = [row('growth', [aim('a', 1.2, { target: 1.3 })], 'growth-5000000')]
    const merged = mergeRun(before, report(rows, { pros: 5_000_000, commit: 'later' }), {
      all,
      selected: ['growth'],
      failed: [],
    })
    expect(merged.rows.map(({ id }) => id)).toEqual(['search', 'growth-5000000', 'growth'])
    expect([merged.pros, merged.commit]).toEqual([1_000_000, '1234567'])
    expect(formatSummary({ full: merged })).toContain('`growth --pros 5000000`')
    expect(mergeRun(merged, report(before.rows as unknown as Row[]), whole).rows.map(({ id }) => id)).toContain(
      'growth-5000000',
    )
  })

  test('is compared with the earlier one where a value has a target', () => {
    const rows = [row('search', [aim('a', 0.5, { target: 1 }), aim('b', 0.1)])]
    const changes = compareWithBaseline(report(rows), before)
    expect(changes.map(({ row: id, aim: name, verdict }) => [id, name, verdict])).toEqual([['search', 'a', 'worse']])
    expect(compareWithBaseline(report(rows), undefined)).toEqual([])
  })

  test('is estimated by the seconds of the earlier one, if that has every scenario', () => {
    const run: BaselineRun = { ...before, seconds: { search: 60, growth: 30 } }
    expect(estimateSeconds(run, ['search', 'growth'])).toBe(90)
    expect(estimateSeconds(run, ['search', 'deliveries'])).toBeUndefined()
  })
})

test('the published run meets the aims that a run requires', () => {
  const { full } = readBaseline()
  expect(full?.rows.flatMap(({ aims }) => aims).some(({ isRequired }) => isRequired)).toBe(true)
  expect(listMissed({ rows: full?.rows ?? [] })).toEqual([])
})

describe('the ratios to an older build', () => {
  const sample = (perSecond: number, server: number, postgres: number, redis: number): Sample => {
    return { perSecond, cpuUs: { server, postgres, redis } }
  }

  test('are of the rate, the whole CPU time and that of each process, with their targets', () => {
    const samples = { Hearth: [sample(300, 100, 200, 10)], 'older build': [sample(200, 200, 400, 20)] }
    const aims = oldBuildAims(samples, { cpu: 0.7, postgres: 1 })
    expect(aims.map(({ name, value, target }) => [name, value.median, target])).toEqual([
      ['× the older build', 1.5, undefined],
      ['× CPU of the older build', 0.5, 0.7],
      ['× CPU of the older build, server', 0.5, undefined],
      ['× CPU of the older build, PostgreSQL', 0.5, 1],
      ['× CPU of the older build, Redis', 0.5, undefined],
    ])
  })

  test('leave out a process that used no time, and everything when no older build runs', () => {
    const samples = { Hearth: [sample(300, 100, 0, 10)], 'older build': [sample(200, 200, 0, 20)] }
    expect(oldBuildAims(samples).map(({ name }) => name)).not.toContain('× CPU of the older build, PostgreSQL')
    expect(oldBuildAims({ Hearth: samples.Hearth })).toEqual([])
  })
})
