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

test.each([
  ['keys revoke', '"x" is not the id of a key. List them with `hearth keys list`.'],
  ['keys rotate', '"x" is not the id of a key. List them with `hearth keys list`.'],
  ['reviews approve', '"x" is not the id of a review. List them with `hearth reviews list`.'],
  ['work dead-letters --retry', '"x" is not the id of a dead letter. List them with `hearth work dead-letters`.'],
  ['credits show', 'No pro has this id or slug.'],
  ['users set-password', 'No user has this e-mail address.'],
  ['keys create --preset full-server --owner', '--owner must be an e-mail address'],
  [
    'keys create --preset full-server --owner a@b.example --rate-multiplier',
    '--rate-multiplier must be greater than 0 and at most 1,000,000',
  ],
])('hearth %s x', async (command, message) => {
  expect(await failureOf([...command.split(' '), 'x'])).toBe(message)
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
