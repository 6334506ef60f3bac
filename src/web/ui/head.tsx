/** @jsxImportSource preact */
// The document of a page: its head, with icons, link previews, styles and scripts, around its body.
import type { VNode } from 'preact'
import { renderDocument } from '../../platform/text/markup.tsx'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { type Asset, assetUrl } from './assets.ts'
import { iconLinks } from './brand.tsx'
import { accentUrl } from './face.ts'
import { SiteContext } from './site.tsx'

export interface Page {
  title: string
  /** One sentence for search engines and link previews. */
  description?: string
  /** The page's address for search engines and link previews: the absolute URL. */
  canonical?: string
  /** What a link preview shows the page as (https://ogp.me). */
  kind?: 'website' | 'business.business' | 'product'
  /** What a link preview shows, if it is not the picture of every page. */
  image?: { url: string; width: number; height: number; alt: string } | undefined
  content: VNode
  /** Whether it says itself that the marketplace is not open. */
  saysClosed?: boolean
  /** Further elements of the head, such as structured data. */
  head?: VNode
  /** Loaded after the page has been parsed. */
  scripts?: readonly Asset[]
  styles?: readonly Asset[]
}

/** As document.css names it. */
const HEADING_FACE = '/assets/figtree-5.3.0.woff2'

/** The page as text, with `<body>` as its body, in which elements say the name of the site. */
export const document = (site: Marketplace, page: Page, body: VNode): string => {
  const { title, description, head, scripts = [], styles = [] } = page
  return renderDocument(
    <SiteContext.Provider value={site}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{title === site.name ? title : `${title} · ${site.name}`}</title>
          {description !== undefined && <meta name="description" content={description} />}
          <link rel="preload" href={HEADING_FACE} as="font" type="font/woff2" crossorigin="anonymous" />
          {(['hearth.css', ...styles] as const).map((name) => (
            <link rel="stylesheet" href={assetUrl(name)} />
          ))}
          {accentUrl(site) !== undefined && <link rel="stylesheet" href={accentUrl(site)} />}
          {iconLinks(site)}
          {!site.isOpen && <meta name="robots" content="noindex" />}
          {linkPreview(site, page)}
          {scripts.includes('htmx.js') && <meta name="htmx-config" content={HTMX_CONFIG} />}
          {head}
          {scripts.map((name) => (
            <script src={assetUrl(name)} defer></script>
          ))}
        </head>
        {body}
      </html>
    </SiteContext.Provider>,
  )
}

/** What other sites show of a link to the page. Image addresses must be absolute, so only pages with a canonical URL have one. */
const linkPreview = (
  site: Marketplace,
  { canonical, title, description, kind = 'website', image }: Page,
): VNode | false =>
  canonical !== undefined && (
    <>
      <link rel="canonical" href={canonical} />
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={kind} />
      <meta property="og:title" content={title} />
      {description !== undefined && <meta property="og:description" content={description} />}
      <meta property="og:url" content={canonical} />
      {previewImage(
        image ?? {
          ...OWN_IMAGE,
          alt: `${site.name}: find a pro for your home`,
          url: new URL(previewUrl(site), canonical).href,
        },
      )}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )

/** The picture of a marketplace with a name of its own is drawn: see share-pictures.ts. */
const previewUrl = ({ name, version }: Marketplace): string =>
  name === UNNAMED.name ? assetUrl('og.png') : `/share.jpg?v=${version}`

const OWN_IMAGE = { width: 1200, height: 630 }

const previewImage = ({ url, width, height, alt }: NonNullable<Page['image']>): VNode => (
  <>
    <meta property="og:image" content={url} />
    <meta property="og:image:width" content={String(width)} />
    <meta property="og:image:height" content={String(height)} />
    <meta property="og:image:alt" content={alt} />
  </>
)

/** The Content-Security-Policy forbids the inline styles that htmx adds by default. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: false })
