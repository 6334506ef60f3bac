// Who the marketplace is: read for every page and message, changed by operators.
import { isDeepStrictEqual } from 'node:util'

import { type Ctx, type TxCtx, ctxOf } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { AppError, invalidField, invalidFields } from '../../../errors/app-error.ts'
import type { FieldError } from '../../../errors/kind.ts'
import { checked } from '../../../http/field-errors.ts'
import { withDeadline } from '../../../platform/clock/deadlines.ts'
import { trackedLoad } from '../../../platform/postgres/tracked-load.ts'
import { MIN_CONTRAST, lightContrastOf } from '../../../platform/style/accent.ts'
import { normalEmail } from '../../../platform/schema/email.ts'
import { type Region, inSentence, regionOf } from '../../../platform/text/region.ts'
import { StoreUnavailable } from '../../../platform/store-error.ts'
import { addPlaces } from '../../catalog/services/verbs/add-places.ts'
import { displayNameOf } from '../../catalog/services/verbs/known-place.ts'
import { getCatalogNames } from '../../catalog/services/verbs/names.ts'
import { BRAND_KINDS } from '../../../platform/pictures/brand.ts'
import { type OperatorId, recordMarketplaceAction } from '../audit/verbs.ts'
import { pictureUrlOf, receivePictureUrls, requireBrandPictures } from '../brand-pictures/verbs.ts'
import { getLegalTexts } from '../legal-texts/verbs.ts'
import {
  countDepositsOutside,
  findLaunchFacts,
  findMarketplace,
  findTestBooking,
  hasPros,
  insertMarketplace,
  isPlaceKnown,
  listDefaultsVersions,
  listFirstPros,
  listMarketplaceVersions,
  lockPros,
} from './queries.sql.ts'
import { type Defaults, defaultsIn, requireDefaults } from './rules/defaults.ts'
import { savedActs } from './rules/saved-acts.ts'
import {
  type Circle,
  DEFAULTS,
  FIELDS,
  type FileCircle,
  type FirstPro,
  type LaunchFacts,
  type Marketplace,
  type MarketplaceDefaults,
  MarketplaceFile,
  type MarketplaceTexts,
  type MarketplaceVersion,
  type TestBooking,
  UNNAMED,
  USUAL,
} from './schemas.ts'

/** Pages that need nothing else of the database wait no longer for the name: then they say the last one that was read. */
const WAIT_MS = 300

/** What the marketplace says of itself. Never fails: while PostgreSQL does not answer, the last version that this process read. */
export async function getMarketplace(ctx: Ctx): Promise<Marketplace> {
  const known = knownOf(ctx)
  try {
    return await withDeadline(known.load(), WAIT_MS, () => new StoreUnavailable('postgres'))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return known.last
  }
}

const knownOf = oncePerDeps((deps) => {
  const known = {
    last: UNNAMED,
    load: trackedLoad(
      deps.notifications.track({ name: 'marketplace', channels: ['marketplace_changed'] }),
      async (): Promise<Marketplace> => {
        const ctx = ctxOf(deps)
        const [says, legal] = await Promise.all([currentMarketplace(ctx), getLegalTexts(ctx)])
        const found = { ...says, legal }
        // The same object while it says the same: what is made of it is made once. Before any answer it counts as open.
        if (!isDeepStrictEqual(found, known.last)) known.last = Object.freeze(found)
        return known.last
      },
    ),
  }
  return known
})

/** What the country of the marketplace decides: as {@link getMarketplace}. */
export const getRegion = async (ctx: Ctx): Promise<Region> => regionOf(await getMarketplace(ctx))

/**
 * What holds for what is agreed from now on. Throws StoreUnavailable rather than to agree on what an operator has replaced, or before
 * this process has read it.
 */
export const getDefaults = async (ctx: Ctx): Promise<Defaults> => defaultsIn(ctx.config, await loadMarketplace(ctx))

/** What the database says of the marketplace: a server asks before it listens, so that no page says less. Throws StoreUnavailable. */
export const loadMarketplace = (ctx: Ctx): Promise<Marketplace> => knownOf(ctx).load()

/** Before an operator has saved a version: open for trying and development, closed in production. */
export async function currentMarketplace(ctx: Ctx): Promise<MarketplaceVersion> {
  const found = await findMarketplace<Pick<MarketplaceTexts, 'area' | 'logo' | 'icon'>>(ctx)
  if (found) return { ...found, country: regionOf(found).country }
  const { legal: _, ...unnamed } = UNNAMED
  return { ...unnamed, isOpen: ctx.config.environment !== 'production' }
}

/**
 * Saves the next version, in which what `changes` leaves out stays as it is. Throws validation_failed when another operator has
 * saved one since `version` was read, for another country once there are pros, and for defaults that contradict each other.
 */
export async function updateMarketplace(
  ctx: Ctx,
  { version, by, ...changes }: Partial<MarketplaceVersion> & { version: number; by: OperatorId },
): Promise<void> {
  await ctx.transaction('updateMarketplace', async (ctx) => {
    const current = await currentMarketplace(ctx)
    // The places of one country are none of another.
    const isMoved = changes.country !== undefined && changes.country !== current.country
    const merged = { ...current, ...(isMoved && { area: [] }), ...changes }
    const { isOpen, ...says } = merged
    if (isMoved) await requireChoice(ctx, says)
    requireDefaults(says)
    await requireBrandPictures(ctx, says)
    const pictures = { logo: says.logo?.id ?? null, icon: says.icon?.id ?? null }
    const area = JSON.stringify(says.area)
    const next = {
      ...normal(says),
      ...pictures,
      area,
      isOpen,
      version: version + 1,
      byUserId: by,
      now: ctx.clock.now(),
    }
    if (!(await insertMarketplace(ctx, next)))
      throw new AppError(
        'validation_failed',
        'The marketplace stands as another operator has just saved it: look through the fields, and save again.',
      )
    for (const act of savedActs(current, { ...merged, ...normal(says) }))
      await recordMarketplaceAction(ctx, { ...act, by })
  })
}

/** Every offer, booking and quote belongs to a pro, and a pro to a city: before the first one nothing has a price or a place. */
async function requireChoice(ctx: TxCtx, { country }: Pick<MarketplaceTexts, 'country'>): Promise<void> {
  const refuse = async () => {
    if ((await hasPros(ctx)).length > 0)
      throw invalidField('country', 'stays as it is once there are pros: prices and places do not convert')
  }
  await refuse()
  await lockPros(ctx)
  await refuse()
  await addPlaces(ctx, { country })
  if ((await isPlaceKnown(ctx, { country })).length === 0)
    throw invalidField('country', 'has no cities in this database yet: run `hearth migrate`, which adds them')
}

/** What `hearth marketplace export` writes. */
export async function exportMarketplace(ctx: Ctx): Promise<MarketplaceFile> {
  const { version: _, isOpen: __, area, logo, icon, ...texts } = await currentMarketplace(ctx)
  const pictures = { logo: await pictureUrlOf(ctx, logo), icon: await pictureUrlOf(ctx, icon) }
  return { ...texts, area: [...area], ...pictures }
}

/** Changes what the file names. Returns the fields that changed: none the second time. Throws validation_failed. */
export async function importMarketplace(ctx: Ctx, { by, file }: { by: OperatorId; file: unknown }): Promise<string[]> {
  const before = await currentMarketplace(ctx)
  const { area, logo, icon, ...says } = checked(MarketplaceFile, file)
  const circles = area && { area: await findCircles(ctx, { circles: area }) }
  const pictures = await receivePictureUrls(ctx, { logo, icon })
  const after = { ...before, ...normal({ ...before, ...says, ...circles, ...pictures }) }
  const names = [...Object.keys({ ...FIELDS, ...DEFAULTS }), 'area', ...BRAND_KINDS] as (keyof MarketplaceFile)[]
  const changed = names.filter((name) => !Bun.deepEquals(before[name], after[name]))
  const { area: _, ...others } = after
  // Without an area of its own in the file, that of another country goes.
  if (changed.length > 0) await updateMarketplace(ctx, { ...others, ...circles, by })
  return changed
}

/**
 * The circles with the positions of their places, as the marketplace calls those. Throws validation_failed, which names each place that is not
 * known or has no middle, such as a state.
 */
export async function findCircles(ctx: Ctx, { circles }: { circles: readonly FileCircle[] }): Promise<Circle[]> {
  const names = await getCatalogNames(ctx)
  const faults: FieldError[] = []
  const found = circles.map(({ place: text, radiusMiles, latitude, longitude }, at): Circle => {
    if (latitude !== undefined && longitude !== undefined) return { place: text, latitude, longitude, radiusMiles }
    const place = names.place(text)
    const path = `area.${at}.place`
    if (!place) faults.push({ path, message: `is no place that is known: “${text}”` })
    else if (!place.coordinates)
      faults.push({
        path,
        message: `must be a city or ${inSentence(names.region.postal.label)}, not a whole ${names.region.state.word}: “${text}”`,
      })
    return { place: place ? displayNameOf(place) : text, latitude: 0, longitude: 0, ...place?.coordinates, radiusMiles }
  })
  if (faults.length > 0) throw invalidFields(faults)
  return found
}

/** With the e-mail address and the colour in their one form. Throws validation_failed for a colour that cannot be read. */
const normal = <Texts extends MarketplaceTexts>({ email, accent, ...texts }: Texts) => {
  const contrast = accent === null ? Infinity : lightContrastOf(accent)
  if (contrast < MIN_CONTRAST)
    throw invalidField(
      'accent',
      `has a contrast of ${contrast.toFixed(1)} to the page, and text needs ${MIN_CONTRAST}: choose a darker colour`,
    )
  return {
    ...texts,
    email: email === null ? null : normalEmail(email),
    accent: accent?.toLowerCase() ?? null,
  }
}

const SHOWN_VERSIONS = 10

/** The last versions, the newest first: when they were saved, and by whom. */
export const listVersions = (ctx: Ctx) => listMarketplaceVersions(ctx, { limit: SHOWN_VERSIONS })

/** A change of the defaults, and what held before it. */
export interface DefaultsChange {
  at: string
  /** Null for the command line. */
  by: string | null
  before: MarketplaceDefaults
  after: MarketplaceDefaults
}

/** The last changes of the defaults, the newest first. */
export async function listDefaultsChanges(ctx: Ctx): Promise<DefaultsChange[]> {
  const found = await listDefaultsVersions(ctx, { limit: SHOWN_VERSIONS + 1 })
  const changes = found.map(({ at, by, version, ...after }, n) => {
    const before = found[n + 1] ?? USUAL
    return { at, by, before, after, isFirst: version === 1 }
  })
  return changes
    .slice(0, SHOWN_VERSIONS)
    .filter(({ before, after, isFirst }) => !isFirst || !isDeepStrictEqual(before, after))
}

/** How many pros ask for a deposit outside the limits: they keep it until they change it. */
export async function countOutsideLimits(ctx: Ctx): Promise<number> {
  const { minDepositPercentage, maxDepositPercentage } = await getDefaults(ctx)
  const found = await countDepositsOutside(ctx, {
    minPercentage: minDepositPercentage,
    maxPercentage: maxDepositPercentage,
  })
  return found?.pros ?? 0
}

/** What there is of what a marketplace needs before it opens. Throws StoreUnavailable. */
export async function getLaunchFacts(ctx: Ctx): Promise<LaunchFacts> {
  const facts = await findLaunchFacts(ctx)
  if (!facts) throw new Error('PostgreSQL reports nothing of its archiver.')
  return facts
}

const SHOWN_PROS = 5

/** What the guide to the opening shows of the first pros, and of the booking with which an operator tried them. */
export async function getTrial(
  ctx: Ctx,
): Promise<{ firstPros: readonly FirstPro[]; testBooking: TestBooking | undefined }> {
  const [firstPros, testBooking] = await Promise.all([
    listFirstPros(ctx, { limit: SHOWN_PROS }),
    findTestBooking(ctx, { now: ctx.clock.now() }),
  ])
  return { firstPros, testBooking }
}
