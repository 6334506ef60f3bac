// The update_* tools. Each proposes a change that an editor of features/agents/proposals accepts; nothing changes yet.
import { type Static, type TObject, Type } from '@sinclair/typebox'

import type { Feature } from '../../config.ts'
import { PACKAGE_CHANGE } from '../../features/business/packages/rules/offered.ts'
import { ProfileChange } from '../../features/business/profile/schemas.ts'
import {
  AvailabilityChange,
  ServiceContentChange,
  ServicePricingChange,
} from '../../features/agents/proposals/schemas.ts'
import { type ProposalInput, propose } from '../../features/agents/proposals/verbs/proposals.ts'
import { DraftChange } from '../../features/quoting/quotes/schemas.ts'
import {
  BusinessEntityChange,
  PublicTextsChange,
  SiteConfigChange,
} from '../../features/business/storefront/schemas.ts'
import { invalidField } from '../../errors/app-error.ts'
import { type BusinessHours, WEEKDAYS, type Weekday } from '../../features/calendar/schedule/schemas.ts'
import type { ProCaller } from '../../auth/caller.ts'
import { ClockTime, OneOf, Uuid } from '../../platform/schema/types.ts'
import { CREATES, defineProTool, type FieldCondition, type Tool } from '../server/tool.ts'
import { ProposalResult, proposalResult } from './brief-proposal.ts'

interface EditingTool<I extends TObject> {
  name: string
  title: string
  description: string
  flags?: readonly Feature[]
  fields?: Readonly<Record<string, FieldCondition>>
  /** The fields of the editor, and the id of the target if there is one. */
  input: I
  toProposal: (input: Static<I>) => ProposalInput
}

const defineEditingTool = <I extends TObject>({ toProposal, ...tool }: EditingTool<I>): Tool<ProCaller> =>
  defineProTool({
    ...tool,
    access: 'write',
    hints: CREATES,
    idempotent: true,
    output: ProposalResult,
    call: async (ctx, input, { run }) => {
      const proposer = {
        accountId: ctx.actor.accountId,
        professionalId: ctx.actor.professionalId,
        ...(run ? { run } : { keyId: ctx.actor.keyId }),
      }
      return proposalResult(await propose(ctx.as(proposer), toProposal(input)))
    },
    next: () => 'Nothing has changed yet. Show the differences to the pro; confirm_action applies them.',
  })

const PROFILE_DRAFTS = ['FEATURE_PRO_AGENT_PROFILE_DRAFTS'] as const

export const updateQuoteContent = defineEditingTool({
  name: 'update_quote_content',
  title: 'Edit a draft quote',
  description:
    'Propose a change of a draft quote. Line items replace all existing ones; the amount is calculated from them.',
  input: Type.Object({ quoteId: Uuid(), ...DraftChange.properties }, { additionalProperties: false }),
  toProposal: ({ quoteId, ...change }) => ({ kind: 'quote_content', targetId: quoteId, change }),
})

export const updateServicePricing = defineEditingTool({
  name: 'update_service_pricing',
  title: 'Edit a price',
  description: 'Propose prices, in US dollars, of a service from list_services.',
  input: Type.Object({ serviceId: Uuid(), ...ServicePricingChange.properties }, { additionalProperties: false }),
  toProposal: ({ serviceId, ...change }) => ({ kind: 'service_pricing', targetId: serviceId, change }),
})

export const updateBusinessProfile = defineEditingTool({
  name: 'update_business_profile',
  title: 'Edit the business profile',
  description: 'Propose the name, description, service radius or emergency work that search shows.',
  input: ProfileChange,
  toProposal: (change) => ({ kind: 'business_profile', change }),
})

export const updatePublicProfile = defineEditingTool({
  name: 'update_public_profile',
  title: 'Edit the public profile',
  description: 'Propose the texts of your public page. A list replaces the whole list.',
  flags: PROFILE_DRAFTS,
  input: PublicTextsChange,
  toProposal: (change) => ({ kind: 'public_profile', change }),
})

export const updateBusinessEntity = defineEditingTool({
  name: 'update_business_entity',
  title: 'Edit the business entity',
  description: 'Propose legal name, license, insurance or contact of the business.',
  flags: PROFILE_DRAFTS,
  input: BusinessEntityChange,
  toProposal: (change) => ({ kind: 'business_entity', change }),
})

export const updateSiteConfig = defineEditingTool({
  name: 'update_site_config',
  title: 'Edit the site',
  description: 'Propose color, opening texts, main button or sections of your public page.',
  flags: PROFILE_DRAFTS,
  input: SiteConfigChange,
  toProposal: (change) => ({ kind: 'site_config', change }),
})

const { businessHours: _, ...settings } = AvailabilityChange.properties

/** 24:00 is the end of a day. */
const ClosingTime = Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', examples: ['17:00'] })

/** The hours of the days that are named. Throws validation_failed for a time without the other. */
function weekOf(hours: readonly { day: Weekday; start?: string; end?: string }[]): BusinessHours {
  const week: BusinessHours = {}
  for (const [n, { day, start, end }] of hours.entries()) {
    if ((start === undefined) !== (end === undefined))
      throw invalidField(`body.hours.${n}.${start === undefined ? 'start' : 'end'}`, 'is required with the other time')
    week[day] = [...(week[day] ?? []), ...(start !== undefined && end !== undefined ? [{ start, end }] : [])]
  }
  return week
}

export const updateAvailability = defineEditingTool({
  name: 'update_availability',
  title: 'Edit hours and blocks',
  description:
    'Propose business hours of some weekdays, lead time, buffer, a time to block, or a block of get_availability to remove. Bookings within stay.',
  input: Type.Object(
    {
      hours: Type.Optional(
        Type.Array(
          Type.Object(
            { day: OneOf(WEEKDAYS), start: Type.Optional(ClockTime()), end: Type.Optional(ClosingTime) },
            { additionalProperties: false },
          ),
          { maxItems: 28, description: 'All hours of each day named; a day without times is closed' },
        ),
      ),
      ...settings,
    },
    { additionalProperties: false },
  ),
  toProposal: ({ hours, ...change }) => ({
    kind: 'availability',
    change: hours ? { ...change, businessHours: weekOf(hours) } : change,
  }),
})

export const updateServiceContent = defineEditingTool({
  name: 'update_service_content',
  title: 'Edit an offer',
  description: 'Propose the description, duration or fixed-price package of a service from list_services.',
  flags: PROFILE_DRAFTS,
  fields: Object.fromEntries(Object.entries(PACKAGE_CHANGE).map(([name, feature]) => [name, { flags: [feature] }])),
  input: Type.Object({ serviceId: Uuid(), ...ServiceContentChange.properties }, { additionalProperties: false }),
  toProposal: ({ serviceId, ...change }) => ({ kind: 'service_content', targetId: serviceId, change }),
})
