// Editors of proposals: their fields, the exact preview of a change, and no access to anything else.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { checkChange } from '../../../../src/features/agents/proposals/verbs/apply.ts'
import { PROPOSAL_KINDS, type ProposalKind } from '../../../../src/features/agents/proposals/schemas.ts'
import { propose } from '../../../../src/features/agents/proposals/verbs/proposals.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import type { TestApp } from '../../../support/app.ts'
import { type ProposalActions, openProposalFixture } from '../../../support/proposals.ts'
import { type QuotingPro, newDraft } from '../../../support/quotes.ts'
import { ctxOf } from '../../../../src/ctx.ts'

let app: TestApp
let sql: Sql
let pro: QuotingPro
let actions: ProposalActions

beforeAll(async () => {
  ;({ app, sql, pro, actions } = await openProposalFixture())
})
afterAll(async () => {
  await sql.end()
  await app.close()
})

const get = async (path: string, key = pro.key) => (await (await app.send(`/api/v1${path}`, { key })).json()) as object

/** A checksum of every row that a change could affect. */
const everything = async () => {
  const [row] = await sql<{ sum: string }[]>`
    select md5(concat(
      (select string_agg(t::text, ',' order by id) from professionals t where id in ${sql([pro.professionalId])}),
      (select string_agg(t::text, ',' order by service_id) from professional_services t where professional_id = ${pro.professionalId}),
      (select string_agg(t::text, ',' order by id) from packages t), (select string_agg(t::text, ',' order by id) from quotes t),
      (select string_agg(t::text, ',') from pro_public_profiles t), (select string_agg(t::text, ',') from pro_business_entities t),
      (select string_agg(t::text, ',') from pro_site_configs t), (select count(*) from outbox_events),
      (select count(*) from pricing_changes), (select string_agg(t::text, ',' order by professional_id) from pro_search t))) as sum`
  return row?.sum
}

interface Case {
  kind: ProposalKind
  change: object
  targetId?: () => Promise<string>
  /** The expected differences, without the previous values. */
  shows: [field: string, after: unknown][]
  /** The REST path that shows the change, and its expected content. */
  seen: (targetId: string) => Promise<object>
  as: object
  says: string
}

const service = () => Promise.resolve(pro.serviceId)
const offer = async () => ({ ...(await actions.offer()) })

const CASES: Case[] = [
  {
    kind: 'quote_content',
    change: { lineItems: [{ description: 'Gutter', quantity: 12, unitPrice: 30.5 }], validForDays: 14 },
    targetId: async () => (await newDraft(app.deps, pro, { message: 'Hello.' })).id,
    shows: [
      ['amount', 366],
      ['lineItems', [{ description: 'Gutter', quantity: 12, unitPrice: 30.5, amount: 366 }]],
      ['validForDays', 14],
    ],
    seen: (id) => get(`/pro/quotes/${id}`),
    as: { quote: { status: 'draft', amount: 366, message: 'Hello.', validForDays: 14 } },
    says: 'amount 300 → 366; lineItems none → 1 entry; validForDays none → 14',
  },
  {
    kind: 'service_pricing',
    change: { priceType: 'per_unit', unit: 'window', basePrice: 12.5, minPrice: null, maxPrice: null },
    targetId: service,
    shows: [
      ['priceType', 'per_unit'],
      ['unit', 'window'],
      ['basePrice', 12.5],
      ['minPrice', null],
      ['maxPrice', null],
    ],
    seen: offer,
    as: { priceType: 'per_unit', unit: 'window', basePrice: 12.5, minPrice: null, maxPrice: null },
    says: 'priceType "flat" → "per_unit"; unit none → "window"',
  },
  {
    kind: 'service_content',
    change: { description: 'All of them.', packageKind: 'standard', packagePrice: 199, includes: ['Visit', 'Report'] },
    targetId: service,
    shows: [
      ['description', 'All of them.'],
      ['packageKind', 'standard'],
      ['packageName', expect.any(String)],
      ['packagePrice', 199],
      ['includes', ['Visit', 'Report']],
      ['cadence', 'once'],
    ],
    seen: offer,
    as: { description: 'All of them.', package: { kind: 'standard', price: 199, includes: ['Visit', 'Report'] } },
    says: 'packageKind none → "standard"',
  },
  {
    kind: 'business_profile',
    change: { businessName: 'Renamed & Sons', serviceRadiusMiles: 44, acceptsEmergency: true },
    shows: [
      ['businessName', 'Renamed & Sons'],
      ['serviceRadiusMiles', 44],
      ['acceptsEmergency', true],
      ['verified', false],
    ],
    seen: () => get(`/pros/${pro.slug}`),
    as: { businessName: 'Renamed & Sons', serviceRadius: 44 },
    says: '→ "Renamed & Sons"; serviceRadiusMiles',
  },
  {
    kind: 'public_profile',
    change: { headline: 'Day and night', faq: [{ question: 'Sundays?', answer: 'Yes.' }] },
    shows: [
      ['headline', 'Day and night'],
      ['faq', [{ question: 'Sundays?', answer: 'Yes.' }]],
    ],
    seen: () => get(`/profile/public/${pro.slug}`),
    as: { headline: 'Day and night', faq: [{ question: 'Sundays?', answer: 'Yes.' }] },
    says: 'Public profile: headline none → "Day and night"; faq none → 1 entry',
  },
  {
    kind: 'business_entity',
    change: { legalName: 'Renamed LLC', licenseNumber: 'M-1', licenseState: 'TX', phone: '555-0100' },
    shows: [
      ['legalName', 'Renamed LLC'],
      ['licenseNumber', 'M-1'],
      ['licenseState', 'TX'],
      ['phone', '555-0100'],
      ['verificationDetails', { backgroundCheck: true, insurance: true, credentials: false }],
    ],
    seen: () => get(`/profile/public/${pro.slug}`),
    as: { business: { legalName: 'Renamed LLC', licenseState: 'TX' }, contact: { phone: '555-0100' } },
    says: 'Business entity: legalName none → "Renamed LLC"',
  },
  {
    kind: 'site_config',
    change: { themeColor: '#0b6e4f', sections: ['reviews', 'about'] },
    shows: [
      ['themeColor', '#0b6e4f'],
      ['sections', ['reviews', 'about']],
    ],
    seen: () => get(`/profile/public/${pro.slug}`),
    as: { site: { themeColor: '#0b6e4f', sections: ['reviews', 'about'] } },
    says: '→ reviews, about',
  },
  {
    kind: 'availability',
    change: {
      businessHours: { monday: [{ start: '07:00', end: '11:00' }] },
      bookingLeadTimeHours: 7,
      block: { startDateTime: '2099-12-24T06:00:00Z', endDateTime: '2099-12-27T06:00:00Z', reason: 'Away' },
    },
    shows: [
      ['monday', ['07:00–11:00']],
      ['bookingLeadTimeHours', 7],
      ['blocks', [expect.stringMatching(/^Thursday, December 24, .* to Sunday, December 27, .* \(Away\)$/)]],
    ],
    seen: () => get('/pro/availability'),
    as: {
      settings: { bookingLeadTimeHours: 7, businessHours: { monday: [{ start: '07:00', end: '11:00' }] } },
      blocks: [{ startDateTime: '2099-12-24T06:00:00.000Z', reason: 'Away' }],
    },
    says: 'monday ',
  },
]

test('every editor has a case', () => {
  expect(CASES.map(({ kind }) => kind).toSorted()).toEqual(PROPOSAL_KINDS.toSorted())
})

describe.each(CASES)('the editor of $kind', ({ kind, change, targetId, shows, seen, as, says }) => {
  test('previews the change, and applies it only when the pro confirms it', async () => {
    const target = await targetId?.()
    const before = await everything()
    const proposal = await actions.propose({ kind, change, targetId: target })
    expect(await everything()).toBe(before)
    expect(proposal).toMatchObject({
      kind,
      status: 'open',
      target: { id: target ?? pro.professionalId },
      conflict: null,
    })
    const differences: [string, unknown][] = proposal.differences.map(({ field, after }) => [field, after])
    expect(differences).toEqual(shows)
    expect(proposal.summary).toContain(says)
    expect(await actions.read(proposal.id)).toEqual(proposal)

    const confirmed = await actions.decide(proposal.id, 'confirm')
    expect(confirmed.status).toBe(200)
    const now = app.deps.clock.now().toISOString()
    expect(await confirmed.json()).toEqual({ proposal: { ...proposal, status: 'confirmed', confirmedAt: now } })
    expect(await seen(proposal.target.id)).toMatchObject(as)
    const repeated = await actions.propose({ kind, change, targetId: target }).catch((error: unknown) => error)
    expect(repeated).toMatchObject({ code: 'validation_failed' })
  })

  test('accepts only its own fields', async () => {
    const target = await targetId?.()
    const before = await everything()
    // Fields that agents must not change, by the names of columns, API fields and other editors.
    const names = 'status sentAt send plan verified active scopes role instantBookingEnabled depositAmount refund'
    for (const field of `${names} professionalId accountId rfqId serviceId subscription constructor`.split(' '))
      expect(actions.propose({ kind, change: { ...change, [field]: true }, targetId: target })).rejects.toMatchObject({
        code: 'validation_failed',
      })
    for (const wrong of [{}, [], null, 'text', 1])
      expect(actions.propose({ kind, change: wrong as object, targetId: target })).rejects.toMatchObject({
        code: 'validation_failed',
      })
    expect(await everything()).toBe(before)
  })
})

test('of the profile editors are off without their flag, and the others are not', async () => {
  const off = { ...app.deps, config: { ...app.deps.config, features: new Set<never>() } }
  for (const { kind, change, targetId } of CASES.filter(({ kind }) => kind !== 'quote_content')) {
    const isExpanded = !['service_pricing', 'business_profile', 'availability'].includes(kind)
    // The pro has confirmed the case's own change: only another one can be proposed.
    const others = { service_pricing: { basePrice: 77 }, availability: { bookingLeadTimeHours: 8 } }
    const other = { ...change, ...(others as Partial<Record<ProposalKind, object>>)[kind] }
    const input = {
      kind,
      change: kind === 'business_profile' ? { description: 'On.' } : other,
      targetId: await targetId?.(),
    }
    const outcome = await propose(ctxOf(off, pro), input).then(
      () => 'made',
      (error: { code: string }) => error.code,
    )
    expect([kind, outcome]).toEqual([kind, isExpanded ? 'feature_disabled' : 'made'])
  }
})

test('are checked against their editor for every caller', () => {
  for (const kind of PROPOSAL_KINDS) expect(() => checkChange({ kind, change: { plan: 'business' } })).toThrow()
})
