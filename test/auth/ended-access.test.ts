// Each act that ends a person's sessions ends all that those sessions opened, for good: every act, every credential.
import { expect, test } from 'bun:test'
import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import type { SignedIn } from '../../src/auth/oauth/verbs/consent.ts'
import { RESOURCES } from '../../src/auth/oauth/resources.ts'
import { listKeys } from '../../src/auth/keys/verbs/keys.ts'
import { askForEmail } from '../../src/auth/users/verbs/email-change.ts'
import { createPasswordLink } from '../../src/auth/users/verbs/password-links.ts'
import { createUser, enableUser } from '../../src/auth/users/verbs/users.ts'
import { forward } from '../../src/commands/mcp/forward.ts'
import { eraseCustomer } from '../../src/features/customers/privacy/verbs/erase-customer.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { nameOf, routes } from '../support/app-routes.ts'
import { openTestApp } from '../support/app.ts'
import {
  authorize,
  codeOf,
  connect,
  exchangeOf,
  listTools,
  newPkce,
  postForm,
  refresh,
  registerApp,
  requestFor,
  signedInPro,
  someCustomer,
  somePro,
} from '../support/connected-app.ts'
import { newAddress, signedInCustomer } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { testRedisUrl } from '../support/stores.ts'
import { PASSWORD, Visitor, loggedInVisitor } from '../support/visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

/** A command is a process, which takes seconds to start on a busy machine. */
const SLOW_MS = 120_000
const NEW_PASSWORD = 'another good password'

const app = await opened(openTestApp('seeded', { clock: { now: () => new Date() } }))
const send = (request: Request) => app.app.handle(request)
const listening = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: send })

const server = await opened({ url: listening.url.origin, close: () => listening.stop(true) })

type Resource = 'pro-agent' | 'customer-agent'
interface Holder {
  person: SignedIn & { email: string }
  visitor: Visitor
  /** Whether each credential still works. A refresh token and a code can be asked once. */
  works: () => Promise<Record<Credential, boolean>>
}
const CREDENTIALS = ['session', 'consent', 'access', 'refresh', 'code', 'stdio'] as const
type Credential = (typeof CREDENTIALS)[number]
const all = (works: boolean) =>
  Object.fromEntries(CREDENTIALS.map((name) => [name, works])) as Record<Credential, boolean>

/** A person with a credential of each kind, all of which work. */
async function holder(person: Holder['person'], visitor: Visitor): Promise<Holder> {
  const resource: Resource = person.side === 'pro' ? 'pro-agent' : 'customer-agent'
  const area = person.side === 'pro' ? '/console' : '/my'
  const [used, kept, piped] = [
    await connect(app, { resource, person }),
    await connect(app, { resource, person }),
    await connect(app, { resource, person }),
  ]
  const code = await codeOf(app, { resource, person })
  const asked = requestFor(app, { clientId: await registerApp(app), resource, pkce: newPkce() })
  const requestId = (await authorize(app, asked)).location?.searchParams.get('request') ?? ''
  const csrf = await visitor.csrfToken(area)
  const tokenWorks = async () => (await listTools(app, resource, used.access_token)).status === 200
  const stdioWorks = async () => (await stdio(resource, piped.access_token)).includes('"tools"')
  expect([await tokenWorks(), await stdioWorks()]).toEqual([true, true])
  const works = async () => ({
    session: (await visitor.get(area)).status === 200,
    consent: isAnswer((await visitor.postRaw('/oauth/consent', { csrf, requestId, decision: 'allow' })).location),
    access: await tokenWorks(),
    refresh: (await refresh(app, kept)).status === 200,
    code: (await postForm(app, '/oauth/token', exchangeOf(code))).status === 200,
    stdio: await stdioWorks(),
  })
  return { person, visitor, works }
}

const isAnswer = (location: string | null) => location?.startsWith('https://app.example/callback?code=') ?? false

/** What `hearth mcp` prints for a list of tools. */
async function stdio(resource: Resource, apiKey: string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const chunks: Buffer[] = []
  output.on('data', (chunk: Buffer) => chunks.push(chunk))
  input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
  await forward({ url: server.url + RESOURCES[resource].path, apiKey, input, output })
  return Buffer.concat(chunks).toString()
}

/** Caches are emptied by a notification, within a second. */
const endsWithinASecond = (work: () => Promise<{ status: number }>) =>
  waitUntil(async () => (await work()).status === 401, 1000)

async function newPro(): Promise<Holder> {
  const person = await somePro(app)
  const visitor = new Visitor(app)
  await visitor.logIn(person.email)
  return await holder(person, visitor)
}

async function hearth(args: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/cli.ts'), 'users', ...args], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
}
const operator = await loggedInVisitor(app, 'operator')

type Act = (pro: Holder & { person: { side: 'pro' } }) => Promise<unknown>
const idOf = ({ person }: Holder) => (person.side === 'pro' ? person.userId : '')

/** What an operator can do with a user: a new action of the page is walked, too. */
const USER_ROUTES = routes
  .filter(({ method, path }) => method === 'POST' && path.startsWith('/console/users/:id/'))
  .map((route) => [nameOf(route), (pro) => operator.post(route.path.replace(':id', idOf(pro)))] as [string, Act])

const ACTS: [string, Act][] = [
  ...USER_ROUTES,
  [
    'POST /console/account/password',
    ({ visitor }) => visitor.post('/console/account/password', { current: PASSWORD, next: NEW_PASSWORD }),
  ],
  [
    'POST /console/password/:token',
    async ({ person }) => {
      const { token } = await createPasswordLink(ctxOf(app.deps), {
        by: null,
        planMessage: () => Promise.resolve(),
        email: person.email,
      })
      return await new Visitor(app).postRaw(`/console/password/${token}`, { password: NEW_PASSWORD })
    },
  ],
  [
    'POST /console/email/:token',
    async ({ person }) => {
      let token = ''
      await askForEmail(ctxOf(app.deps), {
        userId: person.userId,
        email: `moved-${person.email}`,
        by: null,
        planMessages: (_, asked) => Promise.resolve((token = asked.token ?? '')),
      })
      return await new Visitor(app).postRaw(`/console/email/${token}`, {})
    },
  ],
  ['hearth users set-password', ({ person }) => hearth(['set-password', person.email])],
  ['hearth users disable', ({ person }) => hearth(['disable', person.email])],
]

/** The session of the browser that changes its password is replaced by a new one. */
const RENEWS = 'POST /console/account/password'
const KEEPS = new Set([
  // The current password works until the link is used.
  'POST /console/users/:id/link',
  // Nothing changes until the new address is proven.
  'POST /console/users/:id/email',
  // A pro has no role of operators. That of an operator decides about each request of the session.
  'POST /console/users/:id/role',
  // They log in with the password only from then on.
  'POST /console/users/:id/second-factor',
])

test.each(ACTS)(
  '%s ends sessions, pending approvals, access tokens, refresh tokens, codes and stdio connections together, and for good',
  async (name, act) => {
    const pro = await newPro()
    const { token } = await watched(pro)
    await act(pro as Holder & { person: { side: 'pro' } })
    if (KEEPS.has(name)) return expect(await pro.works()).toEqual(all(true))
    expect(await endsWithinASecond(() => listTools(app, 'pro-agent', token))).toBe(true)
    if (name.includes('disable')) await enableUser(ctxOf(app.deps), { email: pro.person.email })
    const works = await pro.works()
    expect(works).toEqual({ ...all(false), session: name === RENEWS })
    const keys = (await listKeys(ctxOf(app.deps), { ownerEmail: await accountEmailOf(pro) })).filter(
      ({ revokedAt }) => revokedAt === null,
    )
    expect(keys.map((key) => key.name)).toContain('stays')
  },
  SLOW_MS,
)

/** What an owner does with the log-in of another owner of the business, and what works afterwards. */
const TEAM_ACTS: [string, Record<string, string>, Record<Credential, boolean>][] = [
  ['POST /console/team/:id/login/end', {}, all(false)],
  ['POST /console/team/:id/delete', {}, all(false)],
  ['POST /console/team/:id/login/role', { proRole: 'worker' }, { ...all(false), session: true }],
]
test.each(TEAM_ACTS)(
  '%s ends what the member has opened, and all that only owners open',
  async (route, fields, left) => {
    const { professionalId } = await somePro(app)
    const member = { id: crypto.randomUUID(), proRole: 'owner' as const }
    const email = `${member.id}@users.test.example`
    await app.sql`
      insert into members (id, professional_id, name, email, role, created_at)
      values (${member.id}, ${professionalId}, 'Crew 1', ${email}, 'crew', now())`
    const of = { email, role: 'pro', pro: professionalId, member, password: PASSWORD } as const
    const { id: userId } = await createUser(ctxOf(app.deps), of)
    const visitor = new Visitor(app)
    await visitor.logIn(email)
    const person = { ...(await signedInPro(app, { professionalId, userId, email })), email }
    const held = await holder(person, visitor)
    const { access_token: token } = await connect(app, { resource: 'pro-agent', person })
    await app.sql`
      insert into second_factors (user_id, secret_encrypted, last_step, recovery_digests, created_at)
      values (${userId}, 'a secret', 0, '{}', now())`
    const owner = await loggedInVisitor(app, 'pro', { pro: professionalId })
    expect((await owner.post(route.slice('POST '.length).replace(':id', member.id), fields)).status).toBe(303)
    expect(await endsWithinASecond(() => listTools(app, 'pro-agent', token))).toBe(true)
    expect(await held.works()).toEqual(left)
    const factors = await app.sql`select from second_factors where user_id = ${userId}`
    expect(factors.length > 0).toBe(left.session)
  },
  SLOW_MS,
)

/** A token that a process has cached, and a key of the account, which stays. */
async function watched(pro: Holder): Promise<{ token: string }> {
  await app.key(['pro:read'], await accountEmailOf(pro))
  await app.sql`update api_keys set name = 'stays' where name = 'test'`
  const { access_token: token } = await connect(app, { resource: 'pro-agent', person: pro.person })
  expect((await listTools(app, 'pro-agent', token)).status).toBe(200)
  return { token }
}

async function accountEmailOf({ person }: Holder): Promise<string> {
  const [row] = await app.sql<{ email: string }[]>`
    select a.email from users u join accounts a on a.id = u.account_id where u.email in (${person.email}, ${`moved-${person.email}`})`
  return row?.email ?? ''
}

async function newCustomer(): Promise<Holder> {
  const email = newAddress()
  return await holder({ ...(await someCustomer(app, email)), email }, await signedInCustomer(app, email))
}

test('the erasure of a customer ends every credential, also for who signs in with the address again', async () => {
  const customer = await newCustomer()
  const { email } = customer.person
  expect((await eraseCustomer(ctxOf(app.deps), { email, requestedBy: 'a test' })).outcome).toBe('erased')
  await signedInCustomer(app, email)
  expect(await customer.works()).toEqual(all(false))
})

test('logging out of one browser ends its session and what it could approve, and leaves the apps alone', async () => {
  for (const [holder, path] of [
    [await newPro(), '/console/logout'],
    [await newCustomer(), '/my/sign-out'],
  ] as const) {
    await holder.visitor.post(path)
    expect(await holder.works()).toEqual({ ...all(true), session: false, consent: false })
  }
})
