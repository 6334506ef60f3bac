// The editors, one per kind of proposal. Each reads and changes content through the verbs that REST calls; a proposal can
// reach nothing else.
import type { Static, TObject } from '@sinclair/typebox'

import type { Feature } from '../../../../config.ts'
import type { TxCtx } from '../../../../ctx.ts'
import { type Offer } from '../../../business/offers/schemas.ts'
import { ProfileChange } from '../../../business/profile/schemas.ts'
import { changeOfferIn, getOfferForUpdate } from '../../../business/offers/verbs.ts'
import { type NewBlock, type Schedule, WEEKDAYS } from '../../../calendar/schedule/schemas.ts'
import {
  changeScheduleIn,
  createBlockIn,
  deleteBlockIn,
  getScheduleForUpdate,
} from '../../../calendar/schedule/verbs.ts'
import { changeProfileIn, getProfileForUpdate } from '../../../business/profile/verbs.ts'
import { changeDraftIn, getDraftForUpdate } from '../../../quoting/quotes/verbs/drafts.ts'
import { DraftChange } from '../../../quoting/quotes/schemas.ts'
import { BusinessEntityChange, PublicTextsChange, SiteConfigChange } from '../../../business/storefront/schemas.ts'
import {
  changeBusinessEntityIn,
  changePublicTextsIn,
  changeSiteConfigIn,
  getBusinessEntityForUpdate,
  getPublicTextsForUpdate,
  getSiteConfigForUpdate,
} from '../../../business/storefront/verbs.ts'
import { localDateTime } from '../../../../platform/text/format.ts'
import type { Fields } from '../differences.ts'
import { AvailabilityChange, type ProposalKind, ServiceContentChange, ServicePricingChange } from '../schemas.ts'

export interface EditedPro {
  accountId: string
  professionalId: string
}

export interface Editor {
  /** The schema of its changes. */
  readonly change: TObject
  /** The title of its content in summaries; `name` is the target's. */
  readonly title: (name: string | null) => string
  readonly target: 'quote' | 'service' | 'professional'
  readonly feature?: Feature
  /** The current content, locked until the transaction ends. Throws when it does not exist or cannot be edited. */
  read(ctx: TxCtx<EditedPro>, targetId: string): Promise<Fields>
  apply(ctx: TxCtx<EditedPro>, targetId: string, change: unknown): Promise<unknown>
}

const editor = <C extends TObject>(
  definition: Omit<Editor, 'change' | 'apply'> & {
    change: C
    apply: (ctx: TxCtx<EditedPro>, targetId: string, change: Static<C>) => Promise<unknown>
  },
): Editor => definition

const pricingOf = ({ priceType, unit, basePrice, minPrice, maxPrice }: Offer): Fields => ({
  priceType,
  unit,
  basePrice,
  minPrice,
  maxPrice,
})

const contentOf = ({ description, durationMinutes, package: it }: Offer): Fields => ({
  description,
  durationMinutes,
  packageKind: it?.kind ?? null,
  packageName: it?.name ?? null,
  packagePrice: it?.price ?? null,
  includes: it?.includes ?? [],
  cadence: it?.cadence ?? null,
  bedrooms: it?.bedrooms ?? null,
  bathrooms: it?.bathrooms ?? null,
})

/** Blocks by their times: one that is made again has another id. */
const availabilityOf = ({ settings, blocks }: Schedule): Fields => ({
  ...Object.fromEntries(WEEKDAYS.map((day) => [day, (settings.businessHours[day] ?? []).map(spanText)])),
  bookingLeadTimeHours: settings.bookingLeadTimeHours,
  bookingBufferMinutes: settings.bookingBufferMinutes,
  blocks: blocks.map(({ startDateTime, endDateTime, reason }) => {
    const span = timeRange(startDateTime, endDateTime, settings.timezone)
    return reason === null ? span : `${span} (${reason})`
  }),
})

const spanText = ({ start, end }: { start: string; end: string }): string => `${start}–${end}`

const timeRange = (start: string, end: string, zone: string): string =>
  `${localDateTime(start, zone)} to ${localDateTime(end, zone)}`

/** Whether the schedule has a block with these times and this reason. */
const isBlocked = ({ blocks }: Schedule, block: NewBlock): boolean =>
  blocks.some(
    ({ startDateTime, endDateTime, reason }) =>
      Date.parse(startDateTime) === Date.parse(block.startDateTime) &&
      Date.parse(endDateTime) === Date.parse(block.endDateTime) &&
      reason === (block.reason ?? null),
  )

const profileDraft = { target: 'professional', feature: 'FEATURE_PRO_AGENT_PROFILE_DRAFTS' } as const

export const EDITORS: Readonly<Record<ProposalKind, Editor>> = {
  quote_content: editor({
    change: DraftChange,
    title: (name) => (name === null ? 'Draft quote' : `Draft quote for ${name}`),
    target: 'quote',
    read: async (ctx, targetId) => {
      const draft = await getDraftForUpdate(ctx, { id: targetId })
      const { amount, lineItems, estimatedDays, depositRequired, depositPercentage } = draft
      const { paymentTerms, message, validForDays } = draft
      return {
        amount,
        lineItems,
        estimatedDays,
        depositRequired,
        depositPercentage,
        paymentTerms,
        message,
        validForDays,
      }
    },
    apply: (ctx, targetId, change) => changeDraftIn(ctx, { ...change, id: targetId }),
  }),
  service_pricing: editor({
    change: ServicePricingChange,
    title: (name) => `Price of ${name}`,
    target: 'service',
    read: async (ctx, targetId) => pricingOf(await getOfferForUpdate(ctx, { serviceId: targetId })),
    apply: (ctx, targetId, change) => changeOfferIn(ctx, { ...change, serviceId: targetId }),
  }),
  service_content: editor({
    ...profileDraft,
    change: ServiceContentChange,
    title: (name) => `Offer of ${name}`,
    target: 'service',
    read: async (ctx, targetId) => contentOf(await getOfferForUpdate(ctx, { serviceId: targetId })),
    apply: (ctx, targetId, change) => changeOfferIn(ctx, { ...change, serviceId: targetId }),
  }),
  business_profile: editor({
    change: ProfileChange,
    title: () => 'Business profile',
    target: 'professional',
    read: async (ctx) => {
      const profile = await getProfileForUpdate(ctx)
      const { businessName, description, serviceRadiusMiles, acceptsEmergency, yearsOfExperience, verified } = profile
      return { businessName, description, serviceRadiusMiles, acceptsEmergency, yearsOfExperience, verified }
    },
    apply: (ctx, _, change) => changeProfileIn(ctx, change),
  }),
  public_profile: editor({
    ...profileDraft,
    change: PublicTextsChange,
    title: () => 'Public profile',
    read: async (ctx) => ({ ...(await getPublicTextsForUpdate(ctx)) }),
    apply: (ctx, _, change) => changePublicTextsIn(ctx, change),
  }),
  business_entity: editor({
    ...profileDraft,
    change: BusinessEntityChange,
    title: () => 'Business entity',
    read: async (ctx) => {
      const entity = await getBusinessEntityForUpdate(ctx)
      const { verificationDetails } = await getProfileForUpdate(ctx)
      return { ...entity, verificationDetails }
    },
    apply: (ctx, _, change) => changeBusinessEntityIn(ctx, change),
  }),
  site_config: editor({
    ...profileDraft,
    change: SiteConfigChange,
    title: () => 'Site',
    read: async (ctx) => ({ ...(await getSiteConfigForUpdate(ctx)) }),
    apply: (ctx, _, change) => changeSiteConfigIn(ctx, change),
  }),
  availability: editor({
    change: AvailabilityChange,
    title: () => 'Hours and blocks',
    target: 'professional',
    read: async (ctx) => availabilityOf(await getScheduleForUpdate(ctx)),
    apply: async (ctx, _, { block, unblockId, ...settings }) => {
      if (Object.keys(settings).length > 0) await changeScheduleIn(ctx, settings)
      if (unblockId !== undefined) await deleteBlockIn(ctx, { id: unblockId })
      // A time that is blocked already is not blocked twice: such a proposal changes nothing, and is refused as that.
      if (block && !isBlocked(await getScheduleForUpdate(ctx), block)) await createBlockIn(ctx, block)
    },
  }),
}
