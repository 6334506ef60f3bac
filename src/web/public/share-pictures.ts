// …/share.jpg: the picture that other sites show beside a link to a pro, a package or a service in a city. Drawn when it is first
// asked for, in a process of its own. A server that has too many to draw sends the picture of all pages, or, when that is one of these, says so.
import { Elysia } from 'elysia'
import { LRUCache } from 'lru-cache'

import { PUBLIC, type Viewer } from '../../auth/caller.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import type { Ctx } from '../../ctx.ts'
import { type Deps, oncePerDeps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { getPackage } from '../../features/business/packages/verbs/packages.ts'
import { getPricing } from '../../features/catalog/pricing/verbs.ts'
import { readCityService } from '../../features/catalog/services/verbs/city-services.ts'
import { openFile } from '../../features/files/files/verbs/addresses.ts'
import { getPublicPictures } from '../../features/files/pictures/verbs.ts'
import type { PublicProfile } from '../../features/search/pros/schemas.ts'
import { getPublicProfile } from '../../features/search/pros/verbs/pros.ts'
import { viewerOfPackageLink, viewerOfProLink } from '../../features/upkeep/test-mode/verbs.ts'
import { guard } from '../../http/guard.ts'
import { documentRoute } from '../../http/headers.ts'
import { unknownPath } from '../../http/problem.ts'
import { PublicBody } from '../../http/public-body.ts'
import { queryOf } from '../../http/request-target.ts'
import type { CardSite } from '../../platform/pictures/share/card.ts'
import { readBrandPicture } from '../../features/upkeep/brand-pictures/verbs.ts'
import { letterOf } from '../../platform/style/letter.ts'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { openIsolatedDrawing } from '../../platform/pictures/share/isolated-drawing.ts'
import { assetUrl } from '../ui/assets.ts'
import { siteOf } from '../ui/site.tsx'
import { SHARE_FILE, type ShownCard, cityCard, packageCard, proCard, siteCard, versionOf } from './share-cards.ts'

export const sharePictures = (deps: Deps) =>
  new Elysia({ name: 'share-pictures' })
    .use(guard(deps))
    .get(
      `/${SHARE_FILE}`,
      async function getSitePicture({ ctx, request }) {
        return await respond(ctx, request, { card: siteCard(siteOf(request)), viewer: PUBLIC })
      },
      documentRoute(),
    )
    .get(
      `/pros/:id/${SHARE_FILE}`,
      async function getProPicture({ ctx, request, params: { id } }) {
        const viewer = await viewerOfProLink(ctx, { pro: id })
        // SQL builds the JSON after the schema of this type.
        const pro = JSON.parse(await getPublicProfile(ctx.as(viewer), { pro: id })) as PublicProfile
        const pictures = await getPublicPictures(ctx.as(viewer), { pro: pro.id })
        return await respond(ctx, request, { card: proCard({ ...pro, pictures }), viewer })
      },
      documentRoute(),
    )
    .get(
      `/packages/:id/${SHARE_FILE}`,
      async function getPackagePicture({ ctx, request, params: { id } }) {
        if (!ctx.config.features.has('FEATURE_OFFER_PACKAGES')) throw unknownPath(request)
        const viewer = await viewerOfPackageLink(ctx, { sku: id })
        const offer = await getPackage(ctx.as(viewer), { name: id })
        return await respond(ctx, request, { card: packageCard(offer), viewer })
      },
      documentRoute(),
    )
    .get(
      `/:services/:city/${SHARE_FILE}`,
      async function getCityPicture({ ctx, request, params }) {
        const terms = await readCityService(ctx, { serviceText: params.services, placeText: params.city })
        const { service, city } = terms
        if (!service || !city) throw unknownPath(request)
        const { pricing } = await getPricing(ctx, { service: service.id, city: city.name, state: city.state })
        return await respond(ctx, request, { card: cityCard({ service, city, pricing }), viewer: PUBLIC })
      },
      documentRoute(),
    )

/** Per process; the least recently used goes first. A picture has 20 to 100 kB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024

const studioOf = oncePerDeps(() => ({
  drawing: openIsolatedDrawing(),
  kept: new LRUCache<string, PublicBody>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: ({ size }) => size }),
  /** Requests for one picture share its drawing. */
  inProgress: new Map<string, Promise<PublicBody | undefined>>(),
}))

/** With the face of the site, which changes neither the page nor the address of the picture. */
type DrawnCard = ShownCard & { readonly site: Omit<CardSite, 'icon'> & Pick<Marketplace, 'icon'> }

/** The picture; a redirect to the picture of all pages when it is not drawn. */
async function respond(
  ctx: Ctx,
  request: Request,
  { card, viewer }: { card: ShownCard; viewer: Viewer },
): Promise<Response> {
  const version = versionOf(card)
  const { name, accent, icon } = siteOf(request)
  const isNamed = name !== UNNAMED.name
  const site = { name, accent, letter: isNamed ? letterOf(name) : null, icon }
  const body = await bodyOf(ctx, `${version} ${JSON.stringify(site)}`, { ...card, site })
  if (!body) {
    if (isNamed)
      throw new AppError('overloaded', 'The server has too many pictures to draw. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      })
    requestContextOf(request).caching = 'personal'
    return new Response(null, { status: 302, headers: { location: assetUrl('og.png') } })
  }
  if (viewer !== PUBLIC) requestContextOf(request).caching = 'personal'
  else if (queryOf(request.url).get('v') === version) requestContextOf(request).caching = 'asset'
  return body.respond(request)
}

async function bodyOf(ctx: Ctx, version: string, card: DrawnCard): Promise<PublicBody | undefined> {
  const { kept, inProgress } = studioOf(ctx)
  const known = kept.get(version)
  if (known) return known
  const begun = inProgress.get(version) ?? draw(ctx, card)
  inProgress.set(version, begun)
  try {
    const body = await begun
    if (body) kept.set(version, body)
    return body
  } finally {
    inProgress.delete(version)
  }
}

async function draw(ctx: Ctx, { photoUrl, site, ...card }: DrawnCard): Promise<PublicBody | undefined> {
  const photo = photoUrl === null ? null : await readPhoto(ctx, photoUrl)
  const icon = site.icon && (await readBrandPicture(ctx, { id: site.icon.id, size: 'screen' }))
  const bytes = await studioOf(ctx).drawing.draw({ ...card, site: { ...site, icon }, photo })
  return bytes && new PublicBody(new Uint8Array(bytes), 'image/jpeg')
}

/** The bytes of a public picture; null if it was removed meanwhile. */
async function readPhoto(ctx: Ctx, url: string): Promise<Uint8Array | null> {
  try {
    const { object } = await openFile(ctx, { file: url.slice(url.lastIndexOf('/') + 1) })
    return await new Response(object.stream()).bytes()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
    return null
  }
}
