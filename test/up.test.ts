// `hearth up`: what it says when it cannot start, and that nothing is left when it stops.
import { afterAll, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { claimFolder } from '../src/platform/local/claim.ts'
import { writeLocalStack } from '../src/platform/local/stack.ts'

const UP = join(import.meta.dir, '../src/commands/up.ts')
const folders: string[] = []

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-up-'))
  chmodSync(dir, 0o755)
  folders.push(dir)
  return dir
}
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })))

/** `hearth up` with a home of its own; it is expected to refuse at once. */
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

test('hearth up names a port that is taken and what to do, before it starts anything', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort: true, fetch: () => new Response('here') })
  const home = newFolder()
  const { message, code } = await refusal(home, { PORT: String(server.port) })
  expect(message).toBe(
    `Port ${server.port} is taken by another program. Try another one:  PORT=${Number(server.port) + 1} npm start`,
  )
  expect(code).toBe(1)
  expect(existsSync(join(home, 'dev', 'postgres'))).toBe(false)
  await server.stop(true)
})

test('a second hearth up in one folder says where the first one is', async () => {
  const home = newFolder()
  const claim = claimFolder(join(home, 'dev'))
  expect((await refusal(home, { PORT: '0' })).message).toMatch(/already being started in this folder/)
  writeLocalStack({ pid: process.pid, baseUrl: 'http://127.0.0.1:3111', databaseUrl: 'a', redisUrl: 'b' }, home)
  const { message, code } = await refusal(home, { PORT: '0' })
  expect(message).toBe(`Hearth is already running in this folder, at http://127.0.0.1:3111 (process ${process.pid}).`)
  expect(code).toBe(1)
  claim?.release()
})

test('a value that cannot be used stops hearth up with one line that names the variable', async () => {
  for (const [name, value] of [
    ['PORT', 'abc'],
    ['HTTP_PROCESSES', '0'],
    ['HEARTH_SEED_PROS', 'many'],
    ['FEATURE_PRO_MCP', 'maybe'],
  ] as const) {
    const { message, code } = await refusal(newFolder(), { [name]: value })
    expect(message).toContain(`${name} must be`)
    expect(message).not.toContain('\n')
    expect(code).toBe(1)
  }
})
