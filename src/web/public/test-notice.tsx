/** @jsxImportSource preact */
// The pages of test pros: what they say first, and that they are kept from caches and search engines.
import { PUBLIC, type Viewer } from '../../auth/caller.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import type { PageSources } from '../../http/headers.ts'
import type { Page } from '../ui/layout.tsx'
import { renderPersonalPage, renderPublicPage } from '../ui/responses.tsx'

/** The page of a pro for everyone, or the one of a test pro for those who have its link. */
export function renderPageFor(request: Request, viewer: Viewer, page: Page, sources: PageSources): Response {
  if (viewer === PUBLIC) return renderPublicPage(request, page, sources)
  requestContextOf(request).caching = 'personal'
  return renderPersonalPage(request, withTestNotice(viewer, page), { sources })
}

/** The page, with a notice for viewers in test mode. */
export const withTestNotice = (viewer: Viewer, page: Page): Page =>
  viewer === PUBLIC
    ? page
    : {
        ...page,
        content: (
          <>
            <p class="notice wait">
              <strong>Test mode.</strong> This pro is not real: try everything out. No visit takes place, no e-mail is
              sent and no money moves.
            </p>
            {page.content}
          </>
        ),
      }
