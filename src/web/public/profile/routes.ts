// /pros/{slug}: a pro's page, which is their profileUrl.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { listPackagesOfPro } from '../../../features/packages/verbs/packages.ts'
import type { PublicProfile } from '../../../features/pros/schemas.ts'
import { getPublicProfile } from '../../../features/pros/verbs.ts'
import { publicPage } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { html } from '../../ui/html.ts'
import type { Page } from '../../ui/layout.ts'
import { renderPublicPage } from '../../ui/responses.ts'
import { type Profile, sections } from './sections.ts'
import { rating } from '../../ui/ratings.ts'
import { dataBlock, localBusiness } from '../structured-data.ts'

export const profilePages = (deps: Deps) =>
  new Elysia({ name: 'profile-pages' }).use(guard(deps)).get(
    '/pros/:id',
    async function getProfilePage({ request, params: { id } }) {
      // Made by SQL from the schema of this type.
      const pro = JSON.parse(await getPublicProfile(deps, id)) as PublicProfile
      // An id, or capitals: each pro has one address.
      if (id !== pro.slug) return new Response(null, { status: 308, headers: { location: `/pros/${pro.slug}` } })
      return renderPublicPage(request, profilePage({ ...pro, packages: await listPackagesOfPro(deps, pro.id) }))
    },
    { access: publicPage, caching: 'public' },
  )

function profilePage(pro: Profile): Page {
  const place = pro.location && `${pro.location.city}, ${pro.location.state}`
  const trades = pro.categories.join(', ')
  const title = place ? `${pro.businessName}, ${place}` : pro.businessName
  const description = (pro.headline ?? pro.description ?? `${trades} in ${place ?? 'your area'}.`).slice(0, 200)
  return {
    title,
    description,
    head: html`
      <link rel="canonical" href="${pro.profileUrl}" />
      <meta property="og:type" content="business.business" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:url" content="${pro.profileUrl}" />
      ${pro.site.themeColor !== null && html`<meta name="theme-color" content="${pro.site.themeColor}" />`}
      ${dataBlock(localBusiness(pro))}
    `,
    content: html`
      <h1>${pro.site.heroTitle ?? pro.businessName}</h1>
      ${pro.site.heroTitle !== null && html`<p><strong>${pro.businessName}</strong></p>`}
      <p class="lead">${pro.site.heroText ?? pro.headline ?? trades}</p>
      <ul class="facts">
        <li>${rating(pro.reviews.stats.average, pro.reviews.stats.count)}</li>
        ${pro.verified && html`<li><span class="badge good">Verified</span></li>`}
        ${place !== null && html`<li>${place} and ${pro.serviceRadius} miles around</li>`}
        ${pro.acceptsEmergency && html`<li>Takes emergencies</li>`}
      </ul>
      ${mainAction(pro)} ${pro.site.sections.map((name) => sections[name](pro))}
    `,
  }
}

/** What the pro wants visitors to do first. */
function mainAction({ bookingUrl, slug, contact, site }: Profile) {
  const label = (usual: string) => site.callToActionLabel ?? usual
  const call = contact.phone !== null && html`<a class="button quiet" href="tel:${contact.phone}">${contact.phone}</a>`
  if (site.callToAction === 'call' && contact.phone !== null)
    return html`<p class="actions">
      <a class="button" href="tel:${contact.phone}">${label('Call')}</a>
      <a class="button quiet" href="/pros/${slug}/quote">Ask for a quote</a>
    </p>`
  const quote = (usual: string, tone: '' | 'quiet') =>
    html`<a class="button ${tone}" href="/pros/${slug}/quote">${usual}</a>`
  const asksFirst = bookingUrl === null || site.callToAction === 'quote'
  return html`<p class="actions">
    ${
      asksFirst
        ? quote(label('Ask for a quote'), '')
        : html`<a class="button" href="/pros/${slug}/book">${label('Book a time')}</a>
            ${quote('Ask for a quote', 'quiet')}`
    }
    ${call}
  </p>`
}
