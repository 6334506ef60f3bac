/** @jsxImportSource preact */
// What pages say of the marketplace they belong to. Read before a page is rendered, so that each element can say its name.
import { type ComponentChildren, type VNode, createContext } from 'preact'
import { useContext } from 'preact/hooks'

import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import { getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { distanceText } from '../../platform/text/distance.ts'
import { type Region, localized, regionOf } from '../../platform/text/region.ts'
import { EmailLink, PhoneLink } from './links.tsx'
import { derivedDocument } from '../../http/cached-document.ts'

/** The property of a request that holds it, as that of its context. */
const SITE = Symbol('hearth.site')

type Known = Request & { [SITE]?: Marketplace }

/** Reads the marketplace for the page that answers the request. */
export async function readSite(ctx: Ctx, { request }: { request: Known }): Promise<Marketplace> {
  return (request[SITE] = await getMarketplace(ctx))
}

/** A hook that does so before the handlers of pages. */
export const withSite = (deps: Deps) => {
  const ctx = ctxOf(deps)
  return async ({ request }: { request: Request }): Promise<void> => void (await readSite(ctx, { request }))
}

/** Responds with a document that says who the marketplace is: made again when that changes. */
export const siteDocument = (
  deps: Deps,
  { type, headers, make }: { type: string; headers?: Record<string, string>; make: (site: Marketplace) => string },
) => {
  const ctx = ctxOf(deps)
  return derivedDocument(type, () => getMarketplace(ctx), make, headers)
}

/** What {@link readSite} has read. */
export const siteOf = (request: Known): Marketplace => request[SITE] ?? UNNAMED

export const SiteContext = createContext<Marketplace>(UNNAMED)

/** What the country of the marketplace decides of the page. */
export const useRegion = (): Region => regionOf(useContext(SiteContext))

/** What depends on the country, inside what is no component. */
export const OfRegion = ({ children }: { children: (region: Region) => ComponentChildren }): VNode => (
  <>{children(useRegion())}</>
)

/** "25 miles", in the unit of the region. */
export const Distance = ({ miles }: { miles: number }): VNode => <>{distanceText(useRegion(), miles)}</>

/** A text of ours in the words of the region. */
export const Said = ({ children }: { children: string }): VNode => <>{localized(useRegion(), children)}</>

/** The name of the marketplace, in the text of a page. */
export const SiteName = (): VNode => <SiteContext.Consumer>{({ name }: Marketplace) => name}</SiteContext.Consumer>

/** What holds for each marketplace, until its operators say something of their own. */
export const DEFAULT_TAGLINE = 'See the price, pick an open time, and book. No calls, no waiting.'

/** How to reach the people who run the site; nothing before they have said so. */
export const Contact = (): VNode => (
  <SiteContext.Consumer>
    {({ name, email, phone, address }: Marketplace) =>
      (email ?? phone ?? address) !== null && (
        <>
          <h2 id="contact">Contact</h2>
          <p>
            {name}
            {address?.split('\n').map((line) => (
              <>
                <br />
                {line}
              </>
            ))}
          </p>
          {email !== null && (
            <p>
              <EmailLink address={email} />
            </p>
          )}
          {phone !== null && (
            <p>
              <PhoneLink phone={phone} />
            </p>
          )}
        </>
      )
    }
  </SiteContext.Consumer>
)
