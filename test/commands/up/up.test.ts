// `hearth up` explains why it cannot start, and leaves nothing behind when it stops.
import { afterEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { lockFolder } from '../../../src/platform/folder-lock.ts'
import type { DemoConsole } from '../../../src/commands/up/demo-logins.ts'
import { findFreePort } from '../../../src/local/ports.ts'
import { readIfExists } from '../../../src/local/processes.ts'
import { UP, newFolder, processesOf, startUp, stopRunning } from '../../support/running-up.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { readLocalStack, writeLocalStack } from '../../../src/local/stack.ts'

afterEach(stopRunning)

/** `hearth up` in its own home folder, expected to fail at once. */
async function refusal(home: string, env: Record<string, string>) {
  const script = `const { runUp } = await import('${UP}'); await runUp()`
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', HEARTH_HOME: home, ...env },
    stderr: 'pipe',
    stdout: 'ignore',
    timeout: 20_000,
  })
  return { message: (await new Response(child.stderr).text()).trim(), code: await child.exited }
}

test('hearth up names a taken port and the remedy before it starts anything', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response('here') })
  const home = newFolder()
  const { message, code } = await refusal(home, { PORT: String(server.port) })
  expect(message).toBe(
    `Another program uses port ${server.port}. Try another one:  PORT=${Number(server.port) + 1} npm start`,
  )
  expect(code).toBe(1)
  expect(existsSync(join(home, 'dev', 'postgres'))).toBe(false)
  await server.stop(true)
})

test('a second hearth up in one folder prints the address of the first', async () => {
  const home = newFolder()
  const claim = lockFolder(join(home, 'dev'))
  writeLocalStack({ pid: process.pid, baseUrl: 'http://127.0.0.1:3111', databaseUrl: 'a', redisUrl: 'b' }, home)
  const { message, code } = await refusal(home, { PORT: '0' })
  expect(message).toBe(`Hearth is already running in this folder, at http://127.0.0.1:3111 (process ${process.pid}).`)
  expect(code).toBe(1)
  claim?.release()
})

test('a hearth up waits for another one that is stopping', async () => {
  const home = newFolder()
  const claim = lockFolder(join(home, 'dev'))
  const up = startUp(home, { PORT: '0', REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` })
  await up.printed('waiting for another start or stop')
  claim?.release()
  await up.printed('creating a PostgreSQL')
  await up.end('SIGINT')
  expect(processesOf(home)).toEqual([])
})

test('an invalid value stops hearth up with one line that names the variable', async () => {
  for (const [name, value] of [
    ['PORT', 'abc'],
    ['HTTP_PROCESSES', '0'],
    ['HEARTH_SEED_PROS', 'many'],
    ['FEATURE_PRO_MCP', 'maybe'],
    ['WORKERS_RELAY_OUTBOX', 'all'],
    ['WORKERS_HERD_CATS', '2'],
  ] as const) {
    const { message, code } = await refusal(newFolder(), { [name]: value })
    expect(message).toContain(`${name} must `)
    expect(message).not.toContain('\n')
    expect(code).toBe(1)
  }
})

const serverIn = (home: string, upPid: number) =>
  processesOf(home)
    .map(Number)
    .find((pid) => pid !== upPid && readIfExists(`/proc/${pid}/cmdline`).includes('server.ts'))

const curlFunction = `curl() { '${process.execPath}' '${join(import.meta.dir, '../../support/curl.ts')}' "$@"; }\n`

/** Runs the panel's requests in a shell as printed, with curl or a stand-in on a machine without it. */
async function runInShell(output: string): Promise<unknown[]> {
  const commands = output
    .slice(output.indexOf('Try it'))
    .split(/^ +# .*$/m)
    .slice(1)
  return Promise.all(
    commands.map((command) => Bun.$`sh -c ${(Bun.which('curl') ? '' : curlFunction) + command}`.json()),
  )
}

/** Checks that each demo user can log in to the console. */
async function logIn(demo: unknown): Promise<void> {
  const { console: operator } = demo as { console: DemoConsole }
  for (const { email, password } of [operator, operator.pro, operator.developer]) {
    const page = await fetch(`${operator.url}/login`)
    const [cookie = ''] = (page.headers.getSetCookie()[0] ?? '').split(';')
    const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const body = new URLSearchParams({ csrf, email, password })
    const answer = await fetch(`${operator.url}/login`, {
      method: 'POST',
      body,
      headers: { cookie },
      redirect: 'manual',
    })
    expect([email, answer.status, answer.headers.get('location')]).toEqual([email, 303, '/console'])
  }
}

/** What other users may do with the files and folders below `home`: the paths with a permission for them. */
const openToOthers = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const mode = statSync(join(home, path), { throwIfNoEntry: false })?.mode ?? 0
    return mode & 0o077 ? [`${path} ${(mode & 0o777).toString(8)}`] : []
  })

test('the requests of the panel work, keys and data are kept, and no process is left running', async () => {
  const home = newFolder()
  const port = String(await findFreePort())
  const first = startUp(home, { PORT: port })
  const output = await first.printed('# Book that time')
  const demoFile = join(home, 'demo.json')
  // Run by root, the stores are other users: they pass through the folder, and cannot list it.
  expect(openToOthers(home)).toEqual(process.getuid?.() === 0 ? ['dev 711'] : [])
  expect(readdirSync(join(home, 'dev'))).toContain('.claim')
  const demo: unknown = JSON.parse(readFileSync(demoFile, 'utf8'))
  const [search, availability, booking] = await runInShell(output)
  expect(search).toHaveProperty('professionals.0.services')
  expect(availability).toHaveProperty('nextAvailable.date')
  expect(booking).toMatchObject({ success: true, booking: { status: 'confirmed' } })
  await logIn(demo)
  expect(await first.end('SIGINT')).toBe(0)
  expect(processesOf(home)).toEqual([])
  expect(readLocalStack(home)).toBeUndefined()

  const second = startUp(home, { PORT: port })
  await second.printed('# Book that time')
  expect(second.output()).not.toContain('seeding')
  expect(JSON.parse(readFileSync(demoFile, 'utf8'))).toEqual(demo)
  expect(await second.end('SIGTERM')).toBe(0)
  expect(processesOf(home)).toEqual([])
}, 120_000)

test('a crashed server is restarted, and hearth up starts again after a SIGKILL', async () => {
  const home = newFolder()
  const port = String(await findFreePort())
  const first = startUp(home, { PORT: port })
  await first.printed('Try it')
  const server = serverIn(home, first.pid)
  expect(server).toBeGreaterThan(0)
  process.kill(server ?? 0, 'SIGKILL')
  await first.printed('a server process exited (SIGKILL); restarting it in 0.5 s')
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (it) => it.ok,
      () => false,
    )
  expect(await waitUntil(ready, 20_000, 100)).toBe(true)

  await first.end('SIGKILL')
  expect(await waitUntil(() => serverIn(home, first.pid) === undefined, 5000)).toBe(true)
  const second = startUp(home, { PORT: port })
  await second.printed('reusing the PostgreSQL that is still running')
  await second.printed('Try it')
  expect(await second.end('SIGHUP')).toBe(0)
  expect(processesOf(home)).toEqual([])
}, 120_000)

test('Ctrl-C during the start stops everything started so far', async () => {
  const home = newFolder()
  const up = startUp(home, { PORT: '0', HEARTH_SEED_PROS: '200000' })
  await up.printed('seeding')
  expect(await up.end('SIGINT')).toBe(0)
  expect(processesOf(home)).toEqual([])
  // The seed is one transaction: the next start seeds from the beginning.
  const again = startUp(home, { PORT: '0' })
  await again.printed('seeding 60 demo pros')
  await again.printed('Try it')
  expect(await again.end('SIGINT')).toBe(0)
}, 120_000)
