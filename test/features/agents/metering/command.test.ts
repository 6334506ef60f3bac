// `hearth credits`: an operator adds bought tasks once, and sees balance and usage.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { reserveTask, settleTask } from '../../../../src/features/agents/metering/verbs.ts'
import { ROOT } from '../../../support/imports.ts'
import { insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = await opened(openMeteringFixture())
const pro = await insertMeteredPro(world.sql, 'verified')

async function hearth(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/cli.ts'), 'credits', ...args], {
    env: { ...process.env, ...world.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

test('adds tasks once per reference, by id or slug, and shows the balance', async () => {
  const [row] = await world.sql<{ slug: string }[]>`select slug from professionals where id = ${pro}`
  expect(await hearth('add', pro, '250', '--reference', 'invoice 1')).toMatchObject({
    code: 0,
    out: 'Added 250 for Austin Metering.\n350 tasks available.\n',
  })
  expect((await hearth('add', row?.slug ?? '', '250', '--reference', 'invoice 1')).out).toStartWith('Nothing added')
  const task = { taskId: Bun.randomUUIDv7(), kind: 'chat_on_thread' } as const
  await reserveTask(ctxOf(world.deps), { ...task, professionalId: pro })
  await settleTask(ctxOf(world.deps), { professionalId: pro, taskId: task.taskId })
  const shown = await hearth('show', row?.slug ?? '')
  expect(shown.out).toContain('99 of 100 left')
  expect(shown.out).toContain('chat_on_thread 1')
  const { balance, usage } = JSON.parse((await hearth('show', pro, '--json')).out) as {
    balance: object
    usage: object
  }
  expect(balance).toMatchObject({ plan: 'verified', prepaid: 250, available: 349, spent: 1 })
  expect(usage).toMatchObject({ settled: 1, timeZone: 'America/Chicago' })
}, 60_000)

test.each([
  [['add', 'unknown', '5', '--reference', 'a'], 'No pro has this id or slug.'],
  [['add', 'x', 'many', '--reference', 'a'], '"many" is not a number of tasks'],
  [['add', 'x', '0', '--reference', 'a'], '"0" is not a number of tasks'],
  [['show', 'unknown'], 'No pro has this id or slug.'],
])('%p is refused in one line', async (args, message) => {
  const { code, err } = await hearth(...args)
  expect(code).toBe(1)
  expect(err).toStartWith(`hearth: ${message}`)
  expect(err.trim().split('\n').length).toBe(1)
})
