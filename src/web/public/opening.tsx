/** @jsxImportSource preact */
// Before an operator opens the marketplace, its visitors see that it opens soon. Those who log in to the console see what will be there.
import { requestContextOf } from '../../auth/request-context.ts'
import type { Deps } from '../../deps.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { findSession } from '../../http/session.ts'
import { LinkButton } from '../ui/buttons.tsx'
import type { Page } from '../ui/layout.tsx'
import { renderPersonalPage } from '../ui/responses.tsx'
import { Contact, SiteName, siteOf } from '../ui/site.tsx'

/** A hook before the handlers of pages on which people find and book pros. */
export const beforeOpening =
  (deps: Deps) =>
  async ({ request }: { request: Request }): Promise<Response | undefined> => {
    const site = siteOf(request)
    if (site.isOpen) return undefined
    requestContextOf(request).caching = 'personal'
    if (await findSession(deps, request)) return undefined
    // What a form sends is refused; a page that is asked for is this one.
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return renderPersonalPage(request, openingPage(site), { status: isRead ? 200 : 403 })
  }

const openingPage = ({ tagline }: Marketplace): Page => ({
  title: 'Opening soon',
  saysClosed: true,
  content: (
    <div class="text-page">
      <h1>
        <SiteName /> opens soon
      </h1>
      {tagline !== null && <p class="lead">{tagline}</p>}
      <p>You cannot search or book here yet. Come back in a while.</p>
      <p>
        Do you work in people’s homes? Read <a href="/for-pros">how it works for pros</a>.
      </p>
      <p>
        <LinkButton href="/console/login" look="plain">
          Log in
        </LinkButton>
      </p>
      <Contact />
    </div>
  ),
})
