// The editors, one per kind of proposal. Each reads and changes content through the verbs that REST calls; a proposal can
// reach nothing else.
import type { Static, TObject } from '@sinclair/typebox'

import type { Feature } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { type Offer } from '../../offers/schemas.ts'
import { ProfileChange } from '../../profile/schemas.ts'
import { changeOfferIn, getOfferForUpdate } from '../../offers/verbs.ts'
import { changeProfileIn, getProfileForUpdate } from '../../profile/verbs.ts'
import { changeDraftIn, getDraftForUpdate } from '../../quotes/verbs/drafts.ts'
import { DraftChange } from '../../quotes/schemas.ts'
import { BusinessEntityChange, PublicTextsChange, SiteConfigChange } from '../../storefront/schemas.ts'
import {
  changeBusinessEntityIn,
  changePublicTextsIn,
  changeSiteConfigIn,
  getBusinessEntityForUpdate,
  getPublicTextsForUpdate,
  getSiteConfigForUpdate,
} from '../../storefront/verbs.ts'
import type { Fields } from '../differences.ts'
import { type ProposalKind, ServiceContentChange, ServicePricingChange } from '../schemas.ts'

export interface EditedPro {
  accountId: string
  professionalId: string
}

interface EditContext {
  deps: Deps
  tx: Transaction
  pro: EditedPro
  targetId: string
}

export interface Editor {
  /** The schema of its changes. */
  readonly change: TObject
  /** The title of its content in summaries; `name` is the target's. */
  readonly title: (name: string | null) => string
  readonly target: 'quote' | 'service' | 'professional'
  readonly feature?: Feature
  /** The current content, locked until the transaction ends. Throws when it does not exist or cannot be edited. */
  read(context: EditContext): Promise<Fields>
  apply(context: EditContext, change: unknown): Promise<unknown>
}

const editor = <C extends TObject>(
  definition: Omit<Editor, 'change' | 'apply'> & {
    change: C
    apply: (context: EditContext, change: Static<C>) => Promise<unknown>
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

const profileDraft = { target: 'professional', feature: 'FEATURE_PRO_AGENT_PROFILE_DRAFTS' } as const

export const EDITORS: Readonly<Record<ProposalKind, Editor>> = {
  quote_content: editor({
    change: DraftChange,
    title: (name) => (name === null ? 'Draft quote' : `Draft quote for ${name}`),
    target: 'quote',
    read: async ({ deps, tx, pro, targetId }) => {
      const draft = await getDraftForUpdate(deps, tx, pro, targetId)
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
    apply: ({ deps, tx, pro, targetId }, change) => changeDraftIn(deps, tx, pro, targetId, change),
  }),
  service_pricing: editor({
    change: ServicePricingChange,
    title: (name) => `Price of ${name}`,
    target: 'service',
    read: async ({ tx, pro, targetId }) => pricingOf(await getOfferForUpdate(tx, pro, targetId)),
    apply: ({ deps, tx, pro, targetId }, change) => changeOfferIn(deps, tx, pro, { ...change, serviceId: targetId }),
  }),
  service_content: editor({
    ...profileDraft,
    change: ServiceContentChange,
    title: (name) => `Offer of ${name}`,
    target: 'service',
    read: async ({ tx, pro, targetId }) => contentOf(await getOfferForUpdate(tx, pro, targetId)),
    apply: ({ deps, tx, pro, targetId }, change) => changeOfferIn(deps, tx, pro, { ...change, serviceId: targetId }),
  }),
  business_profile: editor({
    change: ProfileChange,
    title: () => 'Business profile',
    target: 'professional',
    read: async ({ deps, tx, pro }) => {
      const profile = await getProfileForUpdate(deps, tx, pro)
      const { businessName, description, serviceRadiusMiles, acceptsEmergency, yearsOfExperience } = profile
      return { businessName, description, serviceRadiusMiles, acceptsEmergency, yearsOfExperience }
    },
    apply: ({ deps, tx, pro }, change) => changeProfileIn(deps, tx, pro, change),
  }),
  public_profile: editor({
    ...profileDraft,
    change: PublicTextsChange,
    title: () => 'Public profile',
    read: async ({ tx, pro }) => ({ ...(await getPublicTextsForUpdate(tx, pro)) }),
    apply: ({ deps, tx, pro }, change) => changePublicTextsIn(deps, tx, pro, change),
  }),
  business_entity: editor({
    ...profileDraft,
    change: BusinessEntityChange,
    title: () => 'Business entity',
    read: async ({ tx, pro }) => ({ ...(await getBusinessEntityForUpdate(tx, pro)) }),
    apply: ({ deps, tx, pro }, change) => changeBusinessEntityIn(deps, tx, pro, change),
  }),
  site_config: editor({
    ...profileDraft,
    change: SiteConfigChange,
    title: () => 'Site',
    read: async ({ tx, pro }) => ({ ...(await getSiteConfigForUpdate(tx, pro)) }),
    apply: ({ deps, tx, pro }, change) => changeSiteConfigIn(deps, tx, pro, change),
  }),
}
