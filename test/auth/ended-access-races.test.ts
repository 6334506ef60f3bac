// What ends a person's access beside what opens it: the act that commits first decides, and nothing outlives an end.
import { expect, test } from 'bun:test'

import { approve } from '../../src/auth/oauth/verbs/consent.ts'
import { endSessions } from '../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../src/ctx.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../support/app.ts'
import {
  authorize,
  codeOf,
  exchangeOf,
  listTools,
  newPkce,
  postForm,
  registerApp,
  requestFor,
  somePro,
} from '../support/connected-app.ts'
import { countLockWaits } from '../support/database.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date() } }))

const pending = async () => {
  const asked = requestFor(app, { clientId: await registerApp(app), resource: 'pro-agent', pkce: newPkce() })
  return (await authorize(app, asked)).location?.searchParams.get('request') ?? ''
}

/** What an approval answers that waits for a transaction with the change. */
async function approvalBeside(change: (tx: typeof app.sql, userId: string) => Promise<unknown>): Promise<unknown> {
  const person = await somePro(app)
  const id = await pending()
  let approving: Promise<unknown> = Promise.resolve()
  await app.sql.begin(async (tx) => {
    await change(tx as unknown as typeof app.sql, person.userId)
    approving = approve(ctxOf(app.deps), { id, person }).catch((error: { code?: string }) => error.code)
    expect(await waitUntil(async () => (await countLockWaits(app.sql)) > 0, 5000)).toBe(true)
  })
  return await approving
}

test('an approval that waits for a log-out everywhere is refused', async () => {
  const answer = approvalBeside(async (tx, userId) => {
    await tx`select from users where id = ${userId} for no key update`
    await tx`delete from sessions where user_id = ${userId}`
  })
  expect(await answer).toBe('login_required')
})

test('an approval that waits for another role of the person is refused', async () => {
  const answer = approvalBeside((tx, userId) => tx`update users set pro_role = 'dispatcher' where id = ${userId}`)
  expect(await answer).toBe('role_not_allowed')
})

test('an exchange beside a log-out everywhere gives no token that outlives it', async () => {
  for (let round = 0; round < 20; round++) {
    const person = await somePro(app)
    const granted = await codeOf(app, { resource: 'pro-agent', person })
    const [{ body }] = await Promise.all([
      postForm(app, '/oauth/token', exchangeOf(granted)),
      endSessions(ctxOf(app.deps), { email: person.email }),
    ])
    const token = (body['access_token'] as string | undefined) ?? 'none'
    // Caches are emptied by a notification, within a second.
    const isOver = async () => (await listTools(app, 'pro-agent', token)).status === 401
    expect(await waitUntil(isOver, 1000)).toBe(true)
  }
})
