/** @jsxImportSource preact */
// The marketplace at the top of its pages, and its icons for tabs and phones.
import type { VNode } from 'preact'

import { ICON_SIDES } from '../../platform/pictures/brand.ts'
import { brandPath } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import { shownSize } from '../../features/upkeep/brand-pictures/rules/sizes.ts'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { assetUrl } from './assets.ts'
import { markUrl } from './face.ts'
import { MANIFEST_PATH } from './manifest.ts'

/** The logo; without one, the mark and the name. */
export const Brand = ({ site }: { site: Pick<Marketplace, 'name' | 'accent' | 'logo' | 'icon'> }): VNode =>
  site.logo ? (
    <img class="sent" src={brandPath({ id: site.logo.id })} alt={site.name} {...shownSize(site.logo)} />
  ) : (
    <>
      <img class={site.icon ? 'sent' : undefined} src={markUrl(site)} alt="" width="22" height="22" /> {site.name}
    </>
  )

/** In the head of a page. Of a drawn mark there is the drawing, of the software's own there are pictures in all formats. */
export const iconLinks = (site: Marketplace): VNode =>
  site.icon ? (
    <>
      <link rel="icon" type="image/png" sizes={`${ICON_SIDES.tab}x${ICON_SIDES.tab}`} href={markUrl(site)} />
      <link rel="apple-touch-icon" href={brandPath({ id: site.icon.id, size: 'screen' })} />
      <link rel="manifest" href={MANIFEST_PATH} />
    </>
  ) : (
    <>
      {site.name === UNNAMED.name && <link rel="icon" href="/favicon.ico" sizes="32x32" />}
      <link rel="icon" type="image/svg+xml" href={markUrl(site)} />
      {site.name === UNNAMED.name && <link rel="apple-touch-icon" href={assetUrl('icon-180.png')} />}
    </>
  )

/** In the head of a page that a library draws. */
export const IconLink = ({ site }: { site: Marketplace }): VNode =>
  site.icon ? (
    <link rel="icon" type="image/png" href={markUrl(site)} />
  ) : (
    <link rel="icon" type="image/svg+xml" href={markUrl(site)} />
  )
