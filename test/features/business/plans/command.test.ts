// `hearth pros plan`: an operator gives a pro a plan.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { ROOT } from '../../../support/imports.ts'
import { insertMeteredPro, openMeteringFixture } from '../../../support/metering.ts'
import { opened } from '../../../support/fixture.ts'

const world = await opened(openMeteringFixture())
const pro = await insertMeteredPro(world.sql, 'none')

async function hearth(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/cli.ts'), ...args], {
    env: { ...process.env, ...world.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

test('gives a plan with an end, then one without, and the audit log has both', async () => {
  expect(await hearth('pros', 'plan', pro, 'business', '--until', '2099-12-31')).toMatchObject({
    code: 0,
    out: 'Austin Metering has the plan Business until 2099-12-31 now.\n',
  })
  expect((await hearth('credits', 'show', pro)).out).toStartWith('Austin Metering: plan Business until 2099-12-31\n')
  expect((await hearth('pros', 'plan', pro, 'business')).out).toBe('Austin Metering has the plan Business now.\n')
  expect((await hearth('pros', 'plan', pro, 'business')).out).toBe('Austin Metering had the plan Business already.\n')
  const rows = await world.sql<{ by: string | null }[]>`
    select by_user_id as by from operator_actions where subject_id = ${pro} and action = 'pro.plan_given'`
  expect(rows.map(({ by }) => by)).toEqual([null, null])
}, 60_000)

test.each([
  [['no-pro-of-this-name', 'business'], 'No pro has this id or slug.'],
  [[pro, 'gold'], 'plan must be one of none, verified, business'],
  [[pro, 'verified', '--until', '2001-01-01'], '--until must not be before '],
  [[pro, 'verified', '--until', 'soon'], '--until must be a day such as 2026-12-31'],
])('%p is refused in one line', async (args, message) => {
  const { code, err } = await hearth('pros', 'plan', ...args)
  expect(code).toBe(1)
  expect(err).toStartWith(`hearth: ${message}`)
  expect(err.trim().split('\n').length).toBe(1)
})
