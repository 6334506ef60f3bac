// The demo pro has business from the first start, so that the pro's agent finds work in every list.
import { expect, test } from 'bun:test'

import { createDemoBusiness } from '../../../src/commands/up/demo-business.ts'
import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { listPackagesOfPro } from '../../../src/features/business/packages/verbs/packages.ts'
import { systemClock } from '../../../src/platform/clock/clock.ts'
import { openTestApp } from '../../support/app.ts'
import { openProAgentFixture } from '../../support/pro-agent-fixture.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp('seeded', { clock: systemClock }))
const pro = await openProAgentFixture(app)
const settings = { instantBookingEnabled: true, bookingLeadTimeHours: 2 }
await app.send('/api/v1/pro/availability', { method: 'PATCH', key: pro.key, json: settings })
const { id } = await ensureAccount(ctxOf(app.deps), { email: 'developer@demo.example' })
await createDemoBusiness(ctxOf(app.deps), pro.professionalId, id)
await createDemoBusiness(ctxOf(app.deps), pro.professionalId, id)

const total = async (tool: string, args: object) =>
  ((await pro.tool(tool, args)).structured as { meta: { total: number } }).meta.total

test('the demo pro has new leads, an open quote, completed and agreed jobs, and an upcoming visit', async () => {
  expect(await total('list_leads', { status: 'new' })).toBeGreaterThanOrEqual(4)
  expect(await total('list_quotes', { status: 'viewed' })).toBeGreaterThanOrEqual(1)
  expect(await total('list_jobs', { status: 'completed' })).toBeGreaterThanOrEqual(5)
  expect(await total('list_jobs', { status: 'scheduled' })).toBe(1)
  expect(await total('list_bookings', { status: 'confirmed' })).toBeGreaterThanOrEqual(1)
  const { structured } = await pro.tool('view_analytics', { period: '90d' })
  expect((structured as { analytics: { jobs: { completed: number } } }).analytics.jobs.completed).toBeGreaterThan(4)
})

test('the demo pro offers packages that can be booked at once', async () => {
  const packages = await listPackagesOfPro(ctxOf(app.deps), { professionalId: pro.professionalId })
  expect(packages.length).toBeGreaterThan(1)
  for (const { kind, includes } of packages) expect([kind, includes.length > 0]).toEqual(['standard', true])
})

test('the demo pro has reviews of completed visits', async () => {
  const reviews = await app.send(`/api/v1/reviews?professionalId=${pro.professionalId}&limit=3`)
  const { reviews: latest } = (await reviews.json()) as { reviews: { isVerified: boolean }[] }
  expect(latest.filter(({ isVerified }) => isVerified).length).toBeGreaterThan(0)
})

test('a draft quote for a lead is based on the completed work', async () => {
  const { leads } = (await pro.tool('list_leads', { status: 'new' })).structured as {
    leads: { id: string; service: object | null }[]
  }
  const leadId = leads.find(({ service }) => service !== null)?.id
  const { structured, isError } = await pro.tool('prepare_quote_draft', { leadId })
  expect(isError).toBe(false)
  expect((structured as { basis: { sources: { from: string }[] } }).basis.sources[0]?.from).toContain('the median of')
})
