// /site.webmanifest: what a phone shows of the site on its home screen (https://www.w3.org/TR/appmanifest). Pages name it once there is
// an icon.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { brandPath } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { guard } from '../../http/guard.ts'
import { documentRoute } from '../../http/headers.ts'
import { ICON_SIDES } from '../../platform/pictures/brand.ts'
import { markUrl } from './face.ts'
import { siteDocument } from './site.tsx'

export const MANIFEST_PATH = '/site.webmanifest'

export function webManifest(deps: Deps) {
  const manifest = siteDocument(deps, { type: 'application/manifest+json', make: manifestOf })
  return new Elysia({ name: 'web-manifest' })
    .use(guard(deps))
    .get(MANIFEST_PATH, ({ request }) => manifest(request), documentRoute())
}

const manifestOf = (site: Marketplace): string => {
  const { name, icon } = site
  const icons = icon
    ? [
        picture(brandPath({ id: icon.id, size: 'screen' }), ICON_SIDES.screen),
        picture(brandPath({ id: icon.id }), icon.width),
      ]
    : [{ src: markUrl(site), type: 'image/svg+xml', sizes: 'any' }]
  return `${JSON.stringify({ name, start_url: '/', display: 'browser', icons })}\n`
}

const picture = (src: string, side: number) => ({ src, type: 'image/png', sizes: `${side}x${side}` })
