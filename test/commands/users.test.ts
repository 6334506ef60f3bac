// `hearth users` manages the users of the console from a terminal.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openTestApp } from '../support/app.ts'
import { findPros } from '../support/reviews.ts'
import { setUpFactor } from '../support/second-factor.ts'
import { PASSWORD, Visitor, createTestUser } from '../support/visitor.ts'
import { testRedisUrl } from '../support/stores.ts'
import { opened } from '../support/fixture.ts'

/** Each command is a process, which takes seconds to start on a busy machine. */
const SLOW_MS = 120_000

const app = await opened(openTestApp())

async function hearth(args: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, '../../src/cli.ts'), 'users', ...args], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

const logIn = async (email: string, password: string) => (await new Visitor(app).logIn(email, password)).status === 303

test('hearth users create prints a generated password, or reads one from stdin and does not print it', async () => {
  const created = await hearth(['create', 'Operator@users.test.example', '--role', 'operator'])
  expect(created.code).toBe(0)
  expect(created.out).toStartWith('operator@users.test.example can log in at http')
  const password = /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/m.exec(created.out)?.[0] ?? ''
  expect(await logIn('operator@users.test.example', password)).toBe(true)

  const args = ['create', 'dev@users.test.example', '--role', 'developer', '--password-stdin', '--json']
  const given = await hearth(args, 'a password of my own\nand more\n')
  expect(JSON.parse(given.out)).toMatchObject({ email: 'dev@users.test.example', role: 'developer', disabledAt: null })
  expect(given.out).not.toContain('a password of my own')
  expect(await logIn('dev@users.test.example', 'a password of my own')).toBe(true)
})

const linkIn = (out: string) => /\/console\/password\/[\w-]{43}/.exec(out)?.[0] ?? ''

test(
  'hearth users invite prints a link that works once, and sends nothing; hearth users link prints another one',
  async () => {
    const email = 'invited@users.test.example'
    const invited = await hearth(['invite', 'Invited@users.test.example', '--role', 'operator'])
    expect([invited.code, invited.err]).toEqual([0, ''])
    expect(invited.out).toStartWith(`${email} chooses a password with this link, and logs in as operator:\n\nhttp`)
    const visitor = new Visitor(app)
    const choose = (link: string, password: string) => visitor.post(link, { password })
    expect((await choose(linkIn(invited.out), 'the first password')).status).toBe(303)
    expect(await logIn(email, 'the first password')).toBe(true)
    expect((await choose(linkIn(invited.out), 'another password')).status).toBe(404)

    const linked = JSON.parse((await hearth(['link', email, '--json'])).out) as { email: string; link: string }
    expect(linked.email).toBe(email)
    expect((await choose(linkIn(linked.link), 'the second password')).status).toBe(303)
    expect(await logIn(email, 'the second password')).toBe(true)
    expect(await app.sql`select from messages where recipient = ${email}`).toHaveLength(0)
    expect((await hearth(['link', 'stranger@users.test.example'])).err).toContain('No user has this e-mail address')
  },
  SLOW_MS,
)

test('hearth users create links a pro’s user to the business by id or slug', async () => {
  const [pro] = await findPros(app, 1)
  const created = await hearth(['create', 'pro@users.test.example', '--role', 'pro', '--pro', pro?.slug ?? ''])
  expect(created.code).toBe(0)
  const listed = await hearth(['list'])
  expect(listed.out).toContain(`pro@users.test.example  pro of ${pro?.email}  last login never\n`)
})

test(
  'an invalid command prints one line with the error and creates no user',
  async () => {
    const refusals: [string[], string][] = [
      [
        ['create', 'a@users.test.example', '--role', 'king'],
        '--role must be one of operator, developer, pro, not "king"',
      ],
      [['create', 'unknown', '--role', 'operator'], 'must be an e-mail address'],
      [['create', 'a@users.test.example', '--role', 'pro', '--pro', 'unknown'], 'No pro has this id or slug'],
      [
        ['create', 'OPERATOR@users.test.example', '--role', 'operator'],
        'A user with this e-mail address exists already',
      ],
      [['set-password', 'a@users.test.example'], 'No user has this e-mail address'],
    ]
    for (const [args, said] of refusals) {
      const { code, err } = await hearth(args)
      expect([args, code, err]).toEqual([args, 1, expect.stringContaining(said) as string])
      expect(err.trim().split('\n')).toHaveLength(1)
    }
    const short = ['create', 'a@users.test.example', '--role', 'operator', '--password-stdin']
    expect((await hearth(short, 'short\n')).err).toContain('must have 12 to 200 characters')
    expect((await hearth(['list', '--json'])).out).not.toContain('a@users.test.example')
  },
  SLOW_MS,
)

test(
  'set-password replaces the password, and a disabled user cannot log in until enabled again',
  async () => {
    const email = 'dev@users.test.example'
    const changed = await hearth(['set-password', email])
    const password = /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/m.exec(changed.out)?.[0] ?? ''
    expect(await logIn(email, 'a password of my own')).toBe(false)
    expect(await logIn(email, password)).toBe(true)
    expect((await hearth(['disable', email])).out).toContain('can no longer log in')
    expect(await logIn(email, password)).toBe(false)
    expect((await hearth(['list'])).out).toContain(`${email}  developer  disabled\n`)
    expect((await hearth(['enable', email])).code).toBe(0)
    expect(await logIn(email, password)).toBe(true)
  },
  SLOW_MS,
)

test(
  'hearth users remove-second-factor lets the last administrator log in with the password only, and tells them by e-mail',
  async () => {
    const email = await createTestUser(app, 'operator')
    const visitor = new Visitor(app)
    await visitor.logIn(email)
    await setUpFactor(visitor, app.deps.clock.now())
    expect((await hearth(['list'])).out).toContain(`${email}  operator (administrator)  last login`)
    expect(await logIn(email, PASSWORD)).toBe(false)
    const removed = await hearth(['remove-second-factor', email])
    expect([removed.code, removed.out]).toEqual([0, `${email} logs in with the password only now.\n`])
    expect(await logIn(email, PASSWORD)).toBe(true)
    const told = await app.sql`select from messages where recipient = ${email} and kind = 'second-factor'`
    expect(told).toHaveLength(2)
    expect((await hearth(['remove-second-factor', email])).out).toContain('had no second factor')
  },
  SLOW_MS,
)
