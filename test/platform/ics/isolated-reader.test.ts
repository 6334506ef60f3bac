// No calendar costs more than its share of CPU time and memory, and none stops the reading of others.
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { CPU_MS_PER_KB, MAX_CPU_MS, cpuLimitMs } from '../../../src/platform/ics/busy-time.ts'
import { type IsolatedReader, openIsolatedReader } from '../../../src/platform/ics/isolated-reader.ts'
import { icsOf } from '../../support/calendar-host.ts'
import { EXPENSIVE_FILES, HOSTILE_WITHIN, LINEAR } from '../../support/hostile-calendars.ts'

/** Until a process that exceeds its limit is seen and has ended, on a busy machine. */
const KILL_MS = 1000
const LARGEST_KB = 3000

const opened: IsolatedReader[] = []
const open = (program?: string) => {
  const reader = openIsolatedReader(program)
  opened.push(reader)
  return reader
}
afterEach(() => opened.splice(0).forEach((reader) => reader.close()))

/** Each of an owner of its own, unless one is given. */
const read = (reader: IsolatedReader, text: string, owner: string = crypto.randomUUID()) => {
  const options = { timeZone: 'America/Chicago', within: HOSTILE_WITHIN }
  return reader.read(new TextEncoder().encode(text), options, { owner, isSuspect: false })
}
const USUAL = icsOf({ from: '2026-11-24T15:00:00Z', to: '2026-11-24T16:00:00Z' })

test('the limit is a constant for each KB, and a largest one', () => {
  expect(cpuLimitMs(100 * 1024)).toBe(100 * CPU_MS_PER_KB)
  expect(cpuLimitMs(0)).toBe(50 * CPU_MS_PER_KB)
  expect(cpuLimitMs(5 * 1024 * 1024)).toBe(MAX_CPU_MS)
})

test('a reader that is closed reads what it was given: a stop says nothing of a calendar', async () => {
  const reader = open()
  const readings = [1, 2, 3].map(() => read(reader, USUAL))
  reader.close()
  expect((await Promise.all(readings)).map(({ kind }) => kind)).toEqual(['read', 'read', 'read'])
})

describe.each(Object.entries(LINEAR))('%s', (_, fileOf) => {
  test('costs what its size allows, however large: it is read to its end', async () => {
    const reader = open()
    for (const kilobytes of [200, LARGEST_KB]) {
      const text = fileOf(kilobytes)
      const reading = await read(reader, text)
      expect(reading).not.toMatchObject({ reason: 'too_slow' })
      expect(reading).not.toMatchObject({ reason: 'too_much_memory' })
      expect(reading.cpuMs).toBeLessThan(cpuLimitMs(text.length))
    }
    expect(await read(reader, USUAL)).toMatchObject({ kind: 'read', events: 1, unreadable: 0 })
  }, 60_000)
})

describe.each(Object.entries(EXPENSIVE_FILES))('%s', (_, fileOf) => {
  test.each([5, 300])(
    'in %d KB end at the limit of the size',
    async (kilobytes) => {
      const text = fileOf(kilobytes)
      const reader = open()
      const reading = await read(reader, text)
      expect(reading.cpuMs).toBeLessThan(cpuLimitMs(text.length) + KILL_MS)
      expect(await read(reader, USUAL)).toMatchObject({ kind: 'read', events: 1, unreadable: 0 })
    },
    60_000,
  )
})

describe('a process', () => {
  /** Runs a program instead: it does what a fault of a library could. */
  async function readWith(work: string, body = USUAL) {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-reader-'))
    const program = join(folder, 'program.ts')
    await writeFile(program, `process.on('message', () => { ${work} })\nprocess.send({ kind: 'ready' })\n`)
    try {
      return await read(open(program), body)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('that goes on in the middle of an event is killed', async () => {
    const reading = await readWith('for (;;) {}')
    expect(reading).toMatchObject({ kind: 'unusable', reason: 'too_slow' })
    expect(reading.cpuMs).toBeGreaterThan(cpuLimitMs(USUAL.length))
    expect(reading.cpuMs).toBeLessThan(cpuLimitMs(USUAL.length) + KILL_MS)
  }, 40_000)

  test('that takes ever more memory is killed', async () => {
    const work = 'globalThis.all = []; setInterval(() => all.push(new Uint8Array(3e7).fill(1)), 50)'
    // A large file may take long: on a slow machine, memory takes long, too.
    expect(await readWith(work, 'x'.repeat(5e6))).toMatchObject({ kind: 'unusable', reason: 'too_much_memory' })
  }, 40_000)

  test('that ends by itself is a failed reading', async () => {
    expect(await readWith('process.exit(0)')).toMatchObject({ kind: 'unusable', reason: 'crashed' })
  })

  test('that never begins is an error of the machine, not of the calendar', async () => {
    expect(await read(open('/nowhere.ts'), USUAL).catch(String)).toContain('before it was ready')
  })

  test('sees nothing of the environment', async () => {
    const shown = 'if (Object.keys(process.env).some((name) => /HEARTH|URL|SECRET|KEY/.test(name))) process.exit(1)'
    const reply = "process.send({ kind: 'done', result: { kind: 'unusable', reason: 'incomplete' } })"
    expect(await readWith(`${shown}; ${reply}`)).toMatchObject({ reason: 'incomplete' })
  })
})

test('a usual file does not wait for hostile ones to end, however many', async () => {
  const reader = open()
  await Promise.all([read(reader, USUAL), read(reader, USUAL)])
  const hostile = Array.from({ length: 4 }, () => read(reader, EXPENSIVE_FILES['rules for each second']?.(300) ?? ''))
  let ended = 0
  for (const each of hostile) void each.then(() => ended++)
  for (let n = 0; n < 5; n++) expect(await read(reader, USUAL)).toMatchObject({ kind: 'read' })
  expect(ended).toBe(0)
  expect(await hostile[0]).toMatchObject({ kind: 'unusable', reason: 'too_slow' })
}, 40_000)

test('the files of an owner of a slow one wait behind the slow ones, and those of others do not', async () => {
  const reader = open()
  const hostile = EXPENSIVE_FILES['rules for each second']?.(100) ?? ''
  expect(await read(reader, hostile, 'hostile')).toMatchObject({ reason: 'too_slow' })
  const ended: string[] = []
  const note = async (name: string, text: string, owner: string) => {
    await read(reader, text, owner)
    ended.push(name)
  }
  await Promise.all([
    note('hostile', hostile, 'hostile'),
    note('usual of the same', USUAL, 'hostile'),
    note('usual of another', USUAL, 'another'),
  ])
  expect(ended).toEqual(['usual of another', 'hostile', 'usual of the same'])
}, 40_000)
