// The command line of the benchmarks.
import { describe, expect, test } from 'bun:test'

import { join } from 'node:path'

import type { Scenario } from '../../bench/support/bench.ts'
import { isUsualSize, parseOptions } from '../../bench/support/options.ts'
import { ROOT } from '../support/imports.ts'

describe('the command line', () => {
  test('names an older build and the scenarios to run beside it', () => {
    const options = parseOptions(['--against', '4e2c153', 'search', 'bookings'])
    expect(options.against).toBe('4e2c153')
    expect(options.words).toEqual(['search', 'bookings'])
    expect(parseOptions(['search'])).not.toHaveProperty('against')
  })

  test('takes a number of pros in the notations that people write', () => {
    expect(parseOptions(['--pros', '5,000,000', 'growth']).pros).toBe(5_000_000)
    expect(parseOptions(['--pros', '5_000_000']).pros).toBe(5_000_000)
    expect(() => parseOptions(['--pros', 'many'])).toThrow('--pros takes a number, not many.')
    expect(() => parseOptions(['--rounds', '0'])).toThrow('--rounds takes a number, not 0.')
  })

  test('uses fewer pros and shorter rounds in a quick run', () => {
    const [full, quick] = [parseOptions([]), parseOptions(['--quick'])]
    expect(full.pros).toBe(1_000_000)
    expect(quick.pros).toBe(100_000)
    expect(quick.rounds.seconds).toBeLessThan(full.rounds.seconds)
    expect(isUsualSize(full) && isUsualSize(quick)).toBe(true)
    expect(isUsualSize(parseOptions(['--pros', '100000']))).toBe(false)
  })

  test('leaves out in a quick run the scenarios that bench/README.md lists', async () => {
    const files = [...new Bun.Glob('bench/scenarios/*.ts').scanSync(ROOT)]
    const modules = await Promise.all(files.map((file) => import(join(ROOT, file)) as Promise<Record<string, unknown>>))
    const scenarios = modules.flatMap((module) => Object.values(module)) as Partial<Scenario>[]
    const long = scenarios.flatMap(({ name, isLong }) => (isLong && name !== undefined ? [name] : []))
    const [, listed = ''] =
      /^\| `--quick` \|.* leaves out (.*) unless they are named/m.exec(
        await Bun.file(join(ROOT, 'bench/README.md')).text(),
      ) ?? []
    expect(new Set(listed.matchAll(/(?<=`)[^`, ]+(?=`)/g).map(([name]) => name))).toEqual(new Set(long))
  })

  test('says how large a system of size is, and how much disk it may take', () => {
    expect(parseOptions([]).size).toEqual({ pros: 5_000_000, bookings: 20_000_000, diskGb: 50 })
    expect(parseOptions(['size', '--pros', '2000', '--bookings', '40,000', '--disk-gb', '2']).size).toEqual({
      pros: 2000,
      bookings: 40_000,
      diskGb: 2,
    })
    expect(parseOptions(['--smoke']).size).toEqual({ pros: 1000, bookings: 4000, diskGb: 1 })
  })

  test('uses the least data and time in a smoke run, which no baseline keeps', () => {
    const smoke = parseOptions(['--smoke'])
    expect(smoke.pros).toBe(1000)
    expect(smoke.rounds.seconds).toBeLessThan(parseOptions(['--quick']).rounds.seconds)
    expect(() => parseOptions(['--smoke', '--baseline'])).toThrow('--smoke')
  })

  test('refuses a noisy run that writes nothing or has short rounds', () => {
    expect(parseOptions(['--baseline', '--noisy']).noisy).toBe(true)
    expect(() => parseOptions(['--noisy'])).toThrow('--baseline')
    expect(() => parseOptions(['--baseline', '--noisy', '--quick'])).toThrow('--quick')
  })
})
