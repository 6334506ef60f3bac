// Proposals for tests: a pro with a service, and functions to propose and decide.
import type { Deps } from '../../src/deps.ts'
import type { Offer } from '../../src/features/business/offers/schemas.ts'
import type { Proposal } from '../../src/features/agents/proposals/schemas.ts'
import { type ProposalInput, propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type TestApp, openTestApp } from './app.ts'
import { testSql } from './database.ts'
import { type QuotingPro, quotingPro } from './quotes.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface ProposalActions {
  /** Proposes in the pro's name. */
  propose(input: ProposalInput): Promise<Proposal>
  /** Proposes a base price for the pro's service that no other proposal of the test has. */
  proposePrice(): Promise<Proposal & { price: number }>
  read(id: string): Promise<Proposal>
  decide(id: string, action: 'confirm' | 'dismiss', headers?: Record<string, string>): Promise<Response>
  /** The pro's offer of the service as REST shows it. */
  offer(): Promise<Offer>
}

/** `deps` may have a later clock than the app. */
export function proposalActions(app: TestApp, pro: QuotingPro, deps: Deps = app.deps): ProposalActions {
  const proposeInput = async (input: ProposalInput) => await propose(ctxOf(deps, pro), input)
  return {
    propose: proposeInput,
    proposePrice: async () => {
      const price = nextPrice()
      const input = { kind: 'service_pricing', targetId: pro.serviceId, change: { basePrice: price } } as const
      return { ...(await proposeInput(input)), price }
    },
    read: async (id) => {
      const answer = await app.send(`/api/v1/pro/proposals/${id}`, { key: pro.key })
      return ((await answer.json()) as { proposal: Proposal }).proposal
    },
    decide: (id, action, headers = {}) =>
      app.send(`/api/v1/pro/proposals/${id}/${action}`, { method: 'POST', key: pro.key, headers }),
    offer: async () => {
      const answer = await app.send('/api/v1/pro/services', { key: pro.key })
      const { services } = (await answer.json()) as { services: Offer[] }
      const found = services.find(({ serviceId }) => serviceId === pro.serviceId)
      if (!found) throw new Error('The pro does not offer the service.')
      return found
    },
  }
}

/** Opens the app with a pro whose service has a base, minimum and maximum price. */
export async function openProposalFixture(): Promise<{
  app: TestApp
  sql: Sql
  pro: QuotingPro
  actions: ProposalActions
}> {
  const app = await openTestApp()
  const pro = await quotingPro(app)
  const json = { serviceId: pro.serviceId, basePrice: 100, minPrice: 80, maxPrice: 400 }
  await app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json })
  await app.sql`update professionals set accepts_emergency = false where id = ${pro.professionalId}`
  return { app, sql: testSql(app.databaseUrl, 2), pro, actions: proposalActions(app, pro) }
}

let prices = 100_000
const nextPrice = () => ++prices / 100
