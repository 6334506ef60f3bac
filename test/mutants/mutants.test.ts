// The list of mutants fits the code, and a run is judged by failed assertions.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { MUTANTS } from './list.ts'
import { lineOf } from './mutant.ts'
import { verdictOf } from './verdict.ts'

const ROOT = join(import.meta.dir, '../..')
const MIN_MUTANTS = 150

test(`there are at least ${MIN_MUTANTS} mutants, each with a guarantee of its own`, () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(MIN_MUTANTS)
  const guarantees = MUTANTS.map(({ guarantee }) => guarantee)
  expect(guarantees.filter((one, index) => guarantees.indexOf(one) !== index)).toEqual([])
  for (const guarantee of guarantees) expect(guarantee).toMatch(/^[A-Z].{15,118}\.$/)
  const changes = MUTANTS.map(({ file, from, to }) => JSON.stringify([file, from, to]))
  expect(changes.filter((one, index) => changes.indexOf(one) !== index)).toEqual([])
})

test('every mutant changes text that occurs once, and names an existing test', () => {
  const wrong = MUTANTS.filter((mutant) => {
    const path = join(ROOT, mutant.file)
    const changes = existsSync(path) && lineOf(mutant, readFileSync(path, 'utf8')) !== undefined
    return !changes || mutant.from === mutant.to || !existsSync(join(ROOT, mutant.killedBy))
  })
  expect(wrong).toEqual([])
})

describe('a mutant', () => {
  const testcase = (name: string, failure = '') =>
    failure
      ? `<testcase name="${name}" line="3"><failure ${failure.includes('>') ? failure : `${failure}>`}</failure></testcase>`
      : `<testcase name="${name}" />`
  const judge = (xml: string | undefined, more: Partial<Parameters<typeof verdictOf>[0]> = {}) =>
    verdictOf({ xml, output: '', isLate: false, hangs: false, ...more }).kind
  const assertion = 'type="AssertionError" message="expect(received).toBe(expected)"'

  test('is killed by a failed assertion, and survives where all tests pass', () => {
    expect(judge(testcase('one') + testcase('two', assertion))).toBe('killed')
    expect(judge(testcase('one'))).toBe('survived')
    const refused = (at: string) => `type="Error" message="Not booked">Error: Not booked&#10;      at ${at}:12:3`
    expect(judge(testcase('one', refused('book (test/support/booking-fixture.ts')))).toBe('killed')
    expect(judge(testcase('one', refused('handle (node_modules/postgres/src/connection.js')))).toBe('invalid')
  })

  test('is invalid where no test ran, a hook failed, or the change is no valid code', () => {
    expect(judge(undefined)).toBe('invalid')
    expect(judge('<testcase name="one" line="3"><skipped /></testcase>')).toBe('invalid')
    expect(judge(testcase('(unnamed)', 'type="Error" message="boom"'))).toBe('invalid')
    expect(judge(testcase('one', 'type="Error" message="boom"'))).toBe('invalid')
    expect(judge(testcase('one', assertion), { output: 'PostgresError: syntax error at or near "x"' })).toBe('invalid')
  })

  test('that hangs is killed only if its entry says so', () => {
    const late = testcase('one', 'type="TimeoutError" message="test timed out"')
    expect([judge(late), judge(late, { hangs: true })]).toEqual(['invalid', 'killed'])
    expect([judge(undefined, { isLate: true }), judge(undefined, { isLate: true, hangs: true })]).toEqual([
      'invalid',
      'killed',
    ])
  })
})
