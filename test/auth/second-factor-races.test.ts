// What happens to a second factor at the same moment: its code proves it once, and a log-in that began before its set-up needs it.
import { expect, test } from 'bun:test'

import { logIn } from '../../src/auth/users/verbs/sessions.ts'
import { proveFactor } from '../../src/auth/users/verbs/second-factors.ts'
import { ctxOf } from '../../src/ctx.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../support/app.ts'
import { countLockWaits } from '../support/database.ts'
import { opened } from '../support/fixture.ts'
import { codeAt, setUpFactor } from '../support/second-factor.ts'
import { PASSWORD, createTestUser, visitorFromNewAddress } from '../support/visitor.ts'

let nowMs = Date.parse('2026-11-20T12:00:10Z')
const now = () => new Date(nowMs)
const app = await opened(openTestApp('migrated', { clock: { now } }))
const { sql } = app
const ctx = ctxOf(app.deps)

test('of two transactions that have read the factor before either used the code, one proves it', async () => {
  const email = await createTestUser(app, 'operator')
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(email)
  const { secret } = await setUpFactor(visitor, now())
  nowMs += 60_000
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
  const person = { userId: user?.id ?? '', email, planMessage: () => Promise.resolve() }
  const prove = () =>
    ctx.transaction('proveFactor', (ctx) => proveFactor(ctx, { ...person, code: codeAt(secret, now()) }))
  let proving: Promise<boolean[]> = Promise.resolve([])
  await sql.begin(async (tx) => {
    await tx`select from second_factors where user_id = ${person.userId} for update`
    proving = Promise.all([prove(), prove()])
    expect(await waitUntil(async () => (await countLockWaits(sql)) === 2, 5000)).toBe(true)
  })
  expect((await proving).filter(Boolean)).toHaveLength(1)
})

test('a log-in that began before the factor was set up starts no session', async () => {
  const email = await createTestUser(app, 'operator')
  const setUp = () => sql`
    insert into second_factors (user_id, secret_encrypted, last_step, recovery_digests, created_at)
    select id, 'of another session', 0, '{}', now() from users where email = ${email}`
  const begin: typeof app.deps.write.begin = async (name, work) => {
    if (name === 'startSession') await setUp()
    return await app.deps.write.begin(name, work)
  }
  const late = ctxOf({ ...app.deps, write: { ...app.deps.write, begin } })
  expect(await logIn(late, { email, password: PASSWORD })).toBeUndefined()
  expect(await logIn(ctx, { email, password: PASSWORD })).toMatchObject({ check: { email } })
})
