/** @jsxImportSource preact */
// How the first page begins with this name, sentence and colour. The script preview.js follows what is typed.
import type { VNode } from 'preact'

import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { accentOf } from '../../platform/style/mark.ts'
import { Brand } from './brand.tsx'
import { markUrl } from './face.ts'
import { DEFAULT_TAGLINE } from './site.tsx'

export const FacePreview = ({
  site,
}: {
  site: Pick<Marketplace, 'name' | 'tagline' | 'accent' | 'logo' | 'icon'>
}): VNode => (
  <figure class="face-preview">
    <figcaption class="hint">How your first page begins</figcaption>
    <div id="face" data-accent={accentOf(site)} data-tagline={DEFAULT_TAGLINE}>
      <p class="brand">
        {site.logo ? (
          <Brand site={site} />
        ) : (
          <>
            <img class={site.icon ? 'sent' : undefined} src={markUrl(site)} alt="" width="22" height="22" />{' '}
            <span>{site.name}</span>
          </>
        )}
      </p>
      <p class="shown-heading">Find a pro for your home</p>
      <p class="lead">{site.tagline ?? DEFAULT_TAGLINE}</p>
      <span class="button">Find pros</span>
    </div>
  </figure>
)
