// A command that cannot do what it was asked says why in one plain line, without a message of PostgreSQL or a stack.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { libraryTextsIn } from '../support/library-texts.ts'
import { testRedisUrl } from '../support/stores.ts'

const app = await opened(openTestApp('migrated'))

async function failureOf(args: readonly string[], change: (url: URL) => void = () => undefined): Promise<string> {
  const url = new URL(app.databaseUrl)
  change(url)
  const child = Bun.spawn([process.execPath, 'src/cli.ts', ...args], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...process.env, DATABASE_URL: url.href, REDIS_URL: testRedisUrl, LOG_LEVEL: 'silent' },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 20_000,
  })
  const [code, text] = await Promise.all([child.exited, child.stderr.text()])
  expect([code, text]).toEqual([1, expect.stringMatching(/^hearth: .+\n$/) as string])
  expect(libraryTextsIn(text)).toEqual([])
  return text.slice('hearth: '.length, -1)
}

test.each<[command: string, message: string | RegExp]>([
  ['keys revoke', '"x" is not the id of a key. List them with `hearth keys list`.'],
  ['keys rotate', '"x" is not the id of a key. List them with `hearth keys list`.'],
  ['reviews approve', '"x" is not the id of a review. List them with `hearth reviews list`.'],
  ['work dead-letters --retry', '"x" is not the id of a dead letter. List them with `hearth work dead-letters`.'],
  ['credits show', 'No pro has this id or slug.'],
  ['credits add p 5 --reference', 'No pro has this id or slug.'],
  ['credits add --reference r p', '"x" is not a number of tasks from 1 to 1000000.'],
  ['work dead-letters --actor', /^--actor must be one of relay-outbox, .+, not "x"\.$/],
  ['reviews list --status', '--status must be one of pending, approved, rejected, not "x".'],
  ['users create a@b.example --role', '--role must be one of operator, developer, pro, not "x".'],
  ['keys create --owner a@b.example --preset', /^--preset must be one of .*full-server.*, not "x"\.$/],
  ['keys create --owner a@b.example --scopes', /^--scopes must be one of services:read, .+, not "x"\.$/],
  ['keys create --owner a@b.example --scopes , --name', '--scopes must name at least one scope'],
  [
    `keys create --owner a@b.example --preset full-server --name ${'n'.repeat(201)} --rate-multiplier`,
    '--name must have 1 to 200 characters',
  ],
  ['keys create --preset full-server --owner a@b.example --mode', '--mode must be one of live, test, not "x".'],
  [
    'keys create --preset pro-dashboard --name x --owner a@b.example --expires',
    '--expires must be a date like 2027-01-31, not "x".',
  ],
  ['users set-password', 'No user has this e-mail address.'],
  ['keys create --preset full-server --owner', '--owner must be an e-mail address'],
  [
    'keys create --preset full-server --owner a@b.example --rate-multiplier',
    '--rate-multiplier must be greater than 0 and at most 1,000,000',
  ],
])('hearth %s x', async (command, message) => {
  const said = await failureOf([...command.split(' '), 'x'])
  if (typeof message === 'string') expect(said).toBe(message)
  else expect(said).toMatch(message)
})

test.each([
  ['that does not exist', (url: URL) => (url.pathname = '/no_such'), 'lacks the database'],
  ['that has not been migrated', (url: URL) => (url.pathname = '/template1'), 'Run `hearth migrate`.'],
  ['with another password', (url: URL) => (url.password = 'wrong'), 'refuses the user or the password'],
  ['with another user', (url: URL) => (url.username = 'no_such'), 'refuses the user or the password'],
])(
  'a database %s is named as the reason',
  async (_, change, message) => {
    for (const command of ['keys list', 'users list', 'reviews list', 'work dead-letters'])
      expect(await failureOf(command.split(' '), (url) => void change(url))).toContain(message)
  },
  60_000,
)
