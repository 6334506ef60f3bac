// The statistics of the benchmarks: median, spread and significant changes.
import { describe, expect, test } from 'bun:test'

import { checkedRows, listMissed } from '../../bench/support/result.ts'
import { ratio } from '../../bench/support/rounds.ts'
import { compare, estimate, median, percentile, percentiles, uncertainty } from '../../bench/support/statistics.ts'

describe('the median', () => {
  test('is the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([9, 1, 5, 7])).toBe(6)
    expect(median([4])).toBe(4)
    expect(median([])).toBeNaN()
  })

  test('does not move by one outlier, and neither does the spread', () => {
    const quiet = estimate([100, 101, 99, 100, 102])
    const outlier = estimate([100, 101, 99, 100, 9000])
    expect(outlier.median).toBe(100)
    expect(outlier.spread).toBe(quiet.spread)
    expect(quiet.spread).toBeCloseTo(0.01)
  })

  test('does not sort the given values in place', () => {
    const values = [3, 1, 2]
    median(values)
    expect(values).toEqual([3, 1, 2])
  })
})

test('a percentile is the value at the nearest rank', () => {
  const sorted = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(percentile(sorted, 0.5)).toBe(50)
  expect(percentile(sorted, 0.9)).toBe(90)
})

test('a percentile exists only with ten values beyond it: 1,000 for p99, 20 for p50', () => {
  const sorted = Array.from({ length: 1000 }, (_, index) => index + 1)
  expect(percentile(sorted, 0.99)).toBe(990)
  expect(percentile(sorted.slice(1), 0.99)).toBeNaN()
  expect(percentiles(sorted.slice(1))).toEqual({ p50: 501 })
  expect(percentiles(sorted.slice(0, 19))).toEqual({})
})

test('a row without values, or with one that is no number, fails its scenario', () => {
  const row = (values: number[]) => ({
    id: 'guard',
    title: '',
    metrics: [],
    aims: values.map((value) => ({ name: `${value}`, value: estimate([value]) })),
  })
  expect(checkedRows([row([1])])).toHaveLength(1)
  expect(() => checkedRows([])).toThrow('no rows')
  expect(() => checkedRows([row([])])).toThrow('The row guard has no values.')
  expect(() => checkedRows([row([1, Number.NaN])])).toThrow('no value for “NaN”')
})

test('the uncertainty of a median halves with four times as many rounds', () => {
  expect(uncertainty({ spread: 0.05, rounds: 16 })).toBeCloseTo(uncertainty({ spread: 0.05, rounds: 4 }) / 2)
  expect(uncertainty({ spread: 0, rounds: 5 })).toBe(0)
})

describe('a ratio of two contenders', () => {
  const sample = (perSecond: number) => ({ perSecond, cpuUs: { server: 0, postgres: 0, redis: 0 } })

  test('compares round by round, so that a slowdown of both does not change it', () => {
    const ours = [400, 100, 420].map(sample)
    const theirs = [200, 50, 210].map(sample)
    expect(ratio(ours, theirs, ({ perSecond }) => perSecond)).toEqual({ median: 2, spread: 0, rounds: 3 })
  })
})

describe('a change from the baseline', () => {
  const before = estimate([10, 10.2, 9.8, 10.1, 9.9])

  test('is worse or better when it exceeds noise, depending on whether less is better', () => {
    const half = estimate([5, 5.1, 4.9, 5, 5])
    expect(compare(half, before)).toBe('worse')
    expect(compare(before, half)).toBe('better')
    expect(compare(half, before, true)).toBe('better')
    expect(compare(before, half, true)).toBe('worse')
  })

  test('is not reported within a tenth, however little the rounds scatter', () => {
    expect(compare(estimate([9.2, 9.2, 9.2]), estimate([10, 10, 10]))).toBe('same')
    expect(compare(estimate([8.9, 8.9, 8.9]), estimate([10, 10, 10]))).toBe('worse')
  })

  test('is reported for a fall as for a rise, even when the rounds scatter widely', () => {
    const [few, many] = [estimate([0.4, 0.6, 0.8]), estimate([4, 6, 8])]
    expect(compare(few, many)).toBe('worse')
    expect(compare(many, few)).toBe('better')
  })

  test('is not reported when the rounds scatter more than it', () => {
    expect(compare(estimate([4, 8, 12, 7, 6]), before)).toBe('same')
  })
})

test('a report lists the required aims that it misses, and only those', () => {
  const aim = (median: number, isRequired: boolean) => {
    return { name: `${median}`, value: { median, spread: 0, rounds: 1 }, target: 1.25, lessIsBetter: true, isRequired }
  }
  const row = { id: 'guard', title: '', metrics: [], aims: [aim(1.24, true), aim(1.3, false), aim(1.26, true)] }
  expect(listMissed({ rows: [row] })).toEqual([{ row: 'guard', aim: '1.26' }])
})
