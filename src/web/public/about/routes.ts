// /for-pros, /about, /terms, /privacy, /imprint: what the marketplace is, for people. Our texts say only what the software does;
// operators add their own.
import { Elysia } from 'elysia'

import { ctxOf } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { defaultsIn } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { LEGAL_KINDS, type LegalKind, inForce } from '../../../features/upkeep/legal-texts/schemas.ts'
import { findVersion } from '../../../features/upkeep/legal-texts/verbs.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { guard } from '../../../http/guard.ts'
import { documentRoute, pageHeaders } from '../../../http/headers.ts'
import { unknownPath } from '../../../http/problem.ts'
import { PAGE_TYPE, type Page, page } from '../../ui/layout.tsx'
import { renderPublicPage } from '../../ui/responses.tsx'
import { siteDocument, siteOf } from '../../ui/site.tsx'
import { aboutPage } from './about.tsx'
import { forProsPage } from './for-pros.tsx'
import { imprintPage, versionPage } from './legal-pages.tsx'
import { privacyPage } from './privacy.tsx'
import { termsPage } from './terms.tsx'

export const aboutPages = (deps: Deps) => {
  const { config } = deps
  const ctx = ctxOf(deps)
  const { baseUrl, historyDays } = config
  const app = new Elysia({ name: 'about-pages' }).use(guard(deps))
  const documentAt = (path: string, contentOf: (site: Marketplace) => Page) =>
    siteDocument(deps, {
      type: PAGE_TYPE,
      headers: pageHeaders({ 'form-action': "'self'" }),
      make: (site) => page(site, { ...contentOf(site), canonical: `${baseUrl}${path}` }),
    })
  const add = (path: string, contentOf: (site: Marketplace) => Page) => {
    const respond = documentAt(path, contentOf)
    app.get(path, ({ request }) => respond(request), documentRoute())
  }
  const defaultsOf = (site: Marketplace) => defaultsIn(config, site)
  add('/for-pros', (site) => forProsPage(defaultsOf(site)))
  add('/about', (site) => aboutPage(defaultsOf(site)))
  add('/terms', (site) => termsPage(site, defaultsOf(site)))
  add('/privacy', privacyPage(historyDays))
  const imprint = documentAt('/imprint', () => imprintPage)
  app.get(
    '/imprint',
    async ({ request }) => {
      if (!inForce(siteOf(request).legal, 'imprint')) throw unknownPath(request)
      return await imprint(request)
    },
    documentRoute(),
  )
  const version = async (request: Request, { kind, named }: { kind: LegalKind; named: string }) => {
    const { legal } = siteOf(request)
    const [text, number] = [legal[kind], /^[1-9]\d{0,8}$/.test(named) ? Number(named) : undefined]
    const content = text && number !== undefined && (await findVersion(ctx, { kind, version: number }))
    if (!text || number === undefined || !content) throw unknownPath(request)
    return renderPublicPage(request, versionPage(kind, text, { version: number, content }))
  }
  for (const kind of LEGAL_KINDS)
    app.get(
      `/${kind}/:version`,
      ({ request, params }) => version(request, { kind, named: params.version }),
      documentRoute(),
    )
  return app
}
