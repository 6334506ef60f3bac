// /for-pros, /about, /terms, /privacy: what Hearth is, for people. The texts say only what the software does.
import { Elysia } from 'elysia'

import type { Config } from '../../../config.ts'
import { holdLength } from '../../../features/booking/bookings/rules/holds.ts'
import { cachedDocument } from '../../../http/cached-document.ts'
import { documentRoute, pageHeaders } from '../../../http/headers.ts'
import { PAGE_TYPE, type Page, page } from '../../ui/layout.tsx'
import { aboutPage } from './about.tsx'
import { forProsPage } from './for-pros.tsx'
import { privacyPage } from './privacy.tsx'
import { termsPage } from './terms.tsx'

export const aboutPages = (config: Config) => {
  const { baseUrl, historyDays } = config
  const app = new Elysia({ name: 'about-pages' })
  const add = (path: string, content: Page) => {
    const respond = cachedDocument(
      PAGE_TYPE,
      () => page({ ...content, canonical: `${baseUrl}${path}` }),
      pageHeaders({ 'form-action': "'self'" }),
    )
    app.get(path, ({ request }) => respond(request), documentRoute())
  }
  add('/for-pros', forProsPage)
  add('/about', aboutPage)
  add('/terms', termsPage(holdLength(config)))
  add('/privacy', privacyPage(historyDays))
  return app
}
