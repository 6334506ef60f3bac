// A pro's page: its head, its main action and the sections that the pro chose.
import { zoneName } from '../../../platform/clock/zones.ts'
import { clockTime, plural, weekday } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import type { Page } from '../../ui/layout.ts'
import { rating } from '../../ui/ratings.ts'
import { dataBlock, localBusiness } from '../structured-data.ts'
import { type Profile, sections } from './sections.ts'

export function profilePage(pro: Profile): Page {
  const place = pro.location && `${pro.location.city}, ${pro.location.state}`
  const trades = pro.categories.join(', ')
  const title = place ? `${pro.businessName}, ${place}` : pro.businessName
  const description = (pro.headline ?? pro.description ?? `${trades} in ${place ?? 'your area'}.`).slice(0, 200)
  return {
    title,
    description,
    canonical: pro.profileUrl,
    kind: 'business.business',
    head: html`
      ${pro.site.themeColor !== null && html`<meta name="theme-color" content="${pro.site.themeColor}" />`}
      ${dataBlock(localBusiness(pro))}
    `,
    styles: ['search.css'],
    content: html`
      <h1>${pro.site.heroTitle ?? pro.businessName}</h1>
      ${pro.site.heroTitle !== null && html`<p><strong>${pro.businessName}</strong></p>`}
      <p class="lead">${pro.site.heroText ?? pro.headline ?? trades}</p>
      <ul class="facts">
        <li>${rating(pro.reviews.stats.average, pro.reviews.stats.count)}</li>
        ${pro.verified && html`<li><span class="badge good">Verified</span></li>`}
        ${place !== null && html`<li>Within ${plural(pro.serviceRadius, 'mile')} of ${place}</li>`}
        ${pro.acceptsEmergency && html`<li>Takes emergency calls</li>`}
      </ul>
      ${mainAction(pro)} ${nextTimes(pro)} ${pro.site.sections.map((name) => sections[name](pro))}
    `,
  }
}

/** The next times that can be booked, as links to their booking pages. */
function nextTimes({ openTimes, timezone }: Profile): Html | false {
  if (!openTimes || openTimes.times.length === 0) return false
  const { service, all, times } = openTimes
  return html`<div class="guide">
    <p><strong>Next open times: ${service}</strong> <span class="quiet">${zoneName(timezone)}</span></p>
    ${Array.from(
      Map.groupBy(times, ({ date }) => date),
      ([date, some]) =>
        html`<p>${weekday(date)}</p>
          <ul class="times">
            ${some.map(
              ({ time, href }) =>
                html`<li>
                  <a class="button small quiet" href="${href}" aria-label="Book ${weekday(date)}, ${clockTime(time)}"
                    >${clockTime(time)}</a
                  >
                </li>`,
            )}
          </ul>`,
    )}
    <p><a href="${all}">All open times</a></p>
  </div>`
}

/** The pro's call to action, then the other ways to get in touch. */
function mainAction({ bookingUrl, slug, contact, site }: Profile) {
  const label = (usual: string) => site.callToActionLabel ?? usual
  const call = contact.phone !== null && phoneLink(contact.phone, { look: 'button quiet' })
  if (site.callToAction === 'call' && contact.phone !== null)
    return html`<p class="actions">
      ${phoneLink(contact.phone, { look: 'button', label: label('Call') })}
      <a class="button quiet" href="/pros/${slug}/quote">Ask for a quote</a>
    </p>`
  const quote = (usual: string, tone: '' | 'quiet') =>
    html`<a class="button ${tone}" href="/pros/${slug}/quote">${usual}</a>`
  const isQuoteFirst = bookingUrl === null || site.callToAction === 'quote'
  return html`<p class="actions">
    ${
      isQuoteFirst
        ? quote(label('Ask for a quote'), '')
        : html`<a class="button" href="/pros/${slug}/book">${label('Book a time')}</a>
            ${quote('Ask for a quote', 'quiet')}`
    }
    ${call}
  </p>`
}
