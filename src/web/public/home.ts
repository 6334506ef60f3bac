// /: the search for pros and its results.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { listServices } from '../../features/catalog/verbs/catalog.ts'
import type { MatchedService, Professional, SearchMeta } from '../../features/pros/schemas.ts'
import { findPros } from '../../features/pros/verbs.ts'
import { publicPage } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { duration, plural, priceOf, shortMoney } from '../../platform/text/format.ts'
import { textField } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'
import { emptyState, pager } from '../ui/parts.ts'
import { renderPublicPage } from '../ui/responses.ts'
import { rating } from '../ui/ratings.ts'

const PAGE_SIZE = 20
/** The longest text that the form sends. */
const MAX_TEXT = 200
const SOURCES = { 'form-action': "'self'", 'script-src': "'self'", 'connect-src': "'self'" }

interface Search {
  service: string
  place: string
  offset: number
}

export const homePages = (deps: Deps) =>
  new Elysia({ name: 'home-pages' }).use(guard(deps)).get(
    '/',
    async function getHomePage({ request }) {
      const search = searchIn(queryOf(request.url))
      const { categories } = await listServices(deps, {})
      const proRow = search.service === '' && search.place === '' ? undefined : await findResults(deps, search)
      return renderPublicPage(request, homePage(deps, search, categories, proRow), SOURCES)
    },
    { access: publicPage, caching: 'public' },
  )

function searchIn(query: URLSearchParams): Search {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, MAX_TEXT)
  const offset = Number(query.get('offset') ?? 0)
  return {
    service: text('service'),
    place: text('place'),
    offset: Number.isInteger(offset) && offset > 0 && offset <= 10_000 ? offset : 0,
  }
}

interface Results {
  professionals: Professional[]
  meta: SearchMeta
}

/** Searches as `GET /api/v1/pros` does. A service without a place is a phrase, such as "plumbers austin tx". */
async function findResults(deps: Deps, { service, place, offset }: Search): Promise<Results> {
  const terms = place === '' ? { q: service } : { place, ...(service === '' ? {} : { service }) }
  return JSON.parse(await findPros(deps, { ...terms, limit: PAGE_SIZE, offset })) as Results
}

type Categories = Awaited<ReturnType<typeof listServices>>['categories']

function homePage({ config }: Deps, search: Search, categories: Categories, found: Results | undefined): Page {
  const { service, category, place } = found?.meta.understood ?? {}
  const heading = service?.name ?? category?.name ?? 'Home services'
  const title = found ? `${heading}${place ? ` in ${place.displayName}` : ''}` : 'Find a pro for your home'
  return {
    title,
    description: 'Verified pros for your home, with prices, open times and reviews. Book in a minute.',
    canonical: `${config.baseUrl}/`,
    scripts: ['places.js'],
    content: html`
      <h1>${title}</h1>
      ${!found && html`<p class="lead">See prices, open times and reviews. Book in a minute.</p>`}
      ${searchForm(search, categories, found)} ${found ? results(search, found) : catalog(categories)}
    `,
  }
}

function searchForm({ service, place }: Search, categories: Categories, found: Results | undefined): Html {
  const named = found?.meta.understood
  const names = categories.flatMap(({ name, services }) => [name, ...services.map((it) => it.name)])
  return html`<form class="search" role="search">
    ${textField({
      name: 'service',
      label: 'What do you need?',
      value: named?.service?.name ?? named?.category?.name ?? service,
      placeholder: 'Plumber, maid, AC repair…',
      maxLength: MAX_TEXT,
      choices: [...new Set(names)],
    })}
    ${textField({
      name: 'place',
      label: 'Where?',
      isOptional: true,
      value: named?.place?.displayName ?? place,
      placeholder: 'Austin, TX or 78701',
      maxLength: MAX_TEXT,
      autocomplete: 'address-level2',
      choices: [],
    })}
    <button>Search</button>
  </form>`
}

const catalog = (categories: Categories): Html =>
  html`<h2>Browse by trade</h2>
    <div class="trades">
      ${categories.map(
        ({ name, services }) => html`
          <section>
            <h3>${name}</h3>
            <ul>
              ${services.map(({ slug, name }) => html`<li><a href="/?service=${slug}">${name}</a></li>`)}
            </ul>
          </section>
        `,
      )}
    </div>`

function results(search: Search, { professionals, meta }: Results): Html {
  if (professionals.length === 0)
    return emptyState(
      'No pros found here.',
      didYouMean(search, meta) ?? 'Try another place, such as “Austin, TX” or “TX”.',
    )
  return html`
    <p class="quiet">${plural(meta.total, 'pro')}</p>
    <ul class="offers">
      ${professionals.map(found)}
    </ul>
    ${pager('/', meta, { service: search.service, place: search.place }, ['← Previous', 'Next →'])}
  `
}

/** Links to searches with the nearest known names; the parts that were understood stay as they are. */
function didYouMean(search: Search, { understood, suggestions = {} }: SearchMeta): Html | undefined {
  const known = {
    service:
      understood?.service?.name ?? understood?.category?.name ?? (suggestions.service ? undefined : search.service),
    place: understood?.place?.displayName ?? (suggestions.place ? undefined : search.place),
  }
  const { service: services = [], place: places = [] } = suggestions
  const ways =
    services.length > 0
      ? services.map(({ name }) => ({ service: name, place: known.place ?? places[0]?.displayName ?? '' }))
      : places.map(({ displayName }) => ({ service: known.service ?? '', place: displayName }))
  if (ways.length === 0) return undefined
  return html`Did you mean
  ${ways.map(({ service, place }, at) => {
    const label = [service, place].filter((part) => part !== '').join(' in ')
    return html`${at > 0 && ', '}<a href="/?${new URLSearchParams({ service, place }).toString()}">${label}</a>`
  })}?`
}

const found = (pro: Professional): Html =>
  html`<li>
    <div>
      <h3><a href="/pros/${pro.slug}">${pro.businessName}</a></h3>
      <p>
        ${rating(pro.rating, pro.reviewCount)} ${pro.verified && html`<span class="badge good">Verified</span>`}
        ${pro.location && html`<span class="quiet">${pro.location.city}, ${pro.location.state}</span>`}
      </p>
      ${pro.description !== null && html`<p class="quiet">${pro.description}</p>`}
    </div>
    <div class="price">
      ${pro.matchedService ? priceAndLength(pro.matchedService) : lowestPrice(pro)} ${howToBook(pro)}
    </div>
  </li>`

const priceAndLength = ({ pricing, booking }: MatchedService): Html =>
  html`<span>${priceOf(pricing)}</span>
    ${booking.durationMinutes !== null && html`<span class="quiet">${duration(booking.durationMinutes)}</span>`}`

/** Without a service, "from" the pro's lowest price per visit; prices per hour or per unit are not comparable with it. */
const lowestPrice = ({ pricing }: Professional): Html | false =>
  pricing !== null && pricing.min > 0 && html`<span>from ${shortMoney(pricing.min, pricing.currency)} per visit</span>`

/** The booking link where the service, or without one any service, can be booked at once; otherwise the quote link. */
function howToBook({ slug, businessName, bookingUrl, matchedService }: Professional): Html {
  if (bookingUrl !== null) {
    const { pathname, search } = new URL(bookingUrl)
    return html`<a href="${pathname + search}" aria-label="Book ${businessName}">Book</a>`
  }
  const query = matchedService ? `?service=${matchedService.id}` : ''
  return html`<a href="/pros/${slug}/quote${query}" aria-label="Ask for a quote from ${businessName}"
    >Ask for a quote</a
  >`
}
