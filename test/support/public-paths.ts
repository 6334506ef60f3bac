// Paths of public routes with parameters that respond with 200.
import type { Deps } from '../../src/deps.ts'
import { changeOffer } from '../../src/features/business/offers/verbs.ts'
import { listPackagesOfPro } from '../../src/features/business/packages/verbs/packages.ts'
import type { BookableSlot } from './app.ts'
import { LEGAL_KINDS } from '../../src/features/upkeep/legal-texts/schemas.ts'
import { getLegalTexts, publishText } from '../../src/features/upkeep/legal-texts/verbs.ts'
import { brandPath } from '../../src/features/upkeep/brand-pictures/rules/addresses.ts'
import { receiveBrandPicture } from '../../src/features/upkeep/brand-pictures/verbs.ts'
import { pixels } from './hostile-files.ts'
import { ctxOf } from '../../src/ctx.ts'

/** A path for each such route, by the route's pattern. Gives the pro of the slot a package. */
export async function publicPaths(deps: Deps, slot: BookableSlot): Promise<Record<string, string>> {
  const { professionalId, serviceId } = slot
  const change = { serviceId, packageKind: 'standard', packageName: 'Standard', packagePrice: 99 }
  await changeOffer(ctxOf(deps, { professionalId }), change)
  const [offer] = await listPackagesOfPro(ctxOf(deps), { professionalId })
  const legal = await getLegalTexts(ctxOf(deps))
  for (const kind of LEGAL_KINDS)
    if (!legal[kind]) await publishText(ctxOf(deps), { kind, version: 0, content: `# Of ${kind}`, by: null })
  const icon = await receiveBrandPicture(ctxOf(deps), { kind: 'icon', bytes: await pixels(200, 200).png().toBuffer() })
  return {
    ...Object.fromEntries(LEGAL_KINDS.map((kind) => [`/${kind}/:version`, `/${kind}/1`])),
    '/api/v1/pros/:id': `/api/v1/pros/${slot.slug}`,
    '/api/v1/pros/:id/pictures': `/api/v1/pros/${slot.slug}/pictures`,
    '/api/v1/profile/public/:profileId': `/api/v1/profile/public/${slot.slug}`,
    '/api/v1/reviews': `/api/v1/reviews?professionalId=${professionalId}`,
    '/api/v1/pros/:id/availability': `/api/v1/pros/${slot.slug}/availability`,
    '/api/v1/availability/query': `/api/v1/availability/query?professionalId=${professionalId}&serviceId=${serviceId}&date=${slot.date}`,
    '/api/v1/places': '/api/v1/places?q=aus',
    '/api/v1/pricing': '/api/v1/pricing?service=plumber',
    '/problems/:code': '/problems/not_found',
    '/api-docs/try/:operationId': '/api-docs/try/searchProfessionals',
    '/pros/:id': `/pros/${slot.slug}`,
    '/packages/:id': `/packages/${offer?.sku}`,
    '/pros/:id/share.jpg': `/pros/${slot.slug}/share.jpg`,
    '/packages/:id/share.jpg': `/packages/${offer?.sku}/share.jpg`,
    '/:services/:city/share.jpg': '/plumbers/austin-tx/share.jpg',
    '/assets/brand/:file': brandPath(icon),
    '/assets/accent.css': '/assets/accent.css?v=1b5a9e',
    '/assets/mark.svg': '/assets/mark.svg?v=1b5a9e-M',
    '/sitemaps/:part': '/sitemaps/0.xml',
    '/:services/:city': '/plumbers/austin-tx',
  }
}
