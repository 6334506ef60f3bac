// /for-pros, /about, /terms, /privacy: what the marketplace is, for people. The texts say only what the software does.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { defaultsIn } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { documentRoute, pageHeaders } from '../../../http/headers.ts'
import { PAGE_TYPE, type Page, page } from '../../ui/layout.tsx'
import { siteDocument } from '../../ui/site.tsx'
import { aboutPage } from './about.tsx'
import { forProsPage } from './for-pros.tsx'
import { privacyPage } from './privacy.tsx'
import { termsPage } from './terms.tsx'

export const aboutPages = (deps: Deps) => {
  const { config } = deps
  const { baseUrl, historyDays } = config
  const app = new Elysia({ name: 'about-pages' })
  const add = (path: string, contentOf: (site: Marketplace) => Page) => {
    const respond = siteDocument(deps, {
      type: PAGE_TYPE,
      headers: pageHeaders({ 'form-action': "'self'" }),
      make: (site) => page(site, { ...contentOf(site), canonical: `${baseUrl}${path}` }),
    })
    app.get(path, ({ request }) => respond(request), documentRoute())
  }
  const defaultsOf = (site: Marketplace) => defaultsIn(config, site)
  add('/for-pros', (site) => forProsPage(defaultsOf(site)))
  add('/about', () => aboutPage)
  add('/terms', (site) => termsPage(defaultsOf(site)))
  add('/privacy', () => privacyPage(historyDays))
  return app
}
