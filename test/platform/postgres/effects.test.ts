// Which statements of the program may change something is known from their texts: a failure after them is not "nothing changed".
import { expect, test } from 'bun:test'

import { parse } from 'libpg-query'

import { mayWrite } from '../../../src/platform/postgres/effects.ts'
import { testSql, cloneDatabase } from '../../support/database.ts'
import { opened } from '../../support/fixture.ts'
import { readProgramStatements } from '../../support/plans/program-statements.ts'

const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url, 1), 'end')

/** PostgreSQL refuses changes in functions that are not volatile. */
async function listVolatile(): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    select proname as name from pg_proc p join pg_language l on l.oid = p.prolang
    where pronamespace = 'public'::regnamespace and provolatile = 'v' and prorettype <> 'trigger'::regtype
      and l.lanname in ('sql', 'plpgsql')`
  return new Set(rows.map(({ name }) => name))
}

/** Names of functions that a parsed statement calls, and whether it changes rows itself. */
function effectsOf(tree: unknown): { changes: boolean; calls: string[] } {
  const json = JSON.stringify(tree)
  return {
    changes: /"(?:Insert|Update|Delete|Merge|Truncate)Stmt"/.test(json),
    calls: Array.from(
      json.matchAll(/"funcname":\[(?:[^\]]*,)?\{"String":\{"sval":"(\w+)"\}\}\]/g),
      ([, name = '']) => name,
    ),
  }
}

test('a statement of the program may write exactly if it changes rows or calls a function that can', async () => {
  const volatile = await listVolatile()
  expect(volatile).toContain('reserve_slot')
  const wrong: string[] = []
  let writing = 0
  const { statements } = readProgramStatements()
  for (const { name, text } of statements) {
    const { changes, calls } = effectsOf(await parse(text))
    const expected = changes || calls.some((call) => volatile.has(call))
    if (expected) writing++
    // Statements of other kinds, which set something for a transaction, may be taken for changes.
    const isCertain = expected || /^\s*(?:--.*\n\s*)*(?:select|with)\b/.test(text)
    if (isCertain && mayWrite(text) !== expected) wrong.push(`${name}: ${text.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(writing).toBeGreaterThan(200)
  expect(statements.length - writing).toBeGreaterThan(200)
})

test.each(['', 'notify x', 'truncate x', 'call x()', '-- select\ndelete from x', 'with y as (delete from x) select'])(
  'a statement that does not clearly read only may write: %p',
  (text) => {
    expect(mayWrite(text)).toBe(true)
  },
)
