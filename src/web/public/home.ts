// /: the search for pros and its results.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { listServices } from '../../features/catalog/verbs/catalog.ts'
import { pageMeta } from '../../platform/schema/paging.ts'
import type { Professional } from '../../features/pros/schemas.ts'
import { findPros } from '../../features/pros/verbs.ts'
import { publicPage } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { money, plural } from '../ui/format.ts'
import { selectField, textField } from '../ui/forms.ts'
import { type Html, html } from '../ui/html.ts'
import type { Page } from '../ui/layout.ts'
import { emptyState, pager } from '../ui/parts.ts'
import { renderPublicPage } from '../ui/responses.ts'
import { rating } from '../ui/ratings.ts'

const PAGE_SIZE = 20
/** The longest text that the form sends. */
const MAX_TEXT = 200

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
      return renderPublicPage(request, homePage(deps, search, categories, proRow), { 'form-action': "'self'" })
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
  meta: { total: number; limit: number; offset: number; hasMore: boolean }
}

/** Searches as `GET /api/v1/pros` does. "Austin, TX" is a city and a state, "Austin" a city, "TX" a state. */
async function findResults(deps: Deps, { service, place, offset }: Search): Promise<Results> {
  const [first = '', second] = place.split(',').map((part) => part.trim())
  const filter = service === '' ? {} : { service }
  const paging = { limit: PAGE_SIZE, offset }
  const places = first === '' ? [{}] : second ? [{ city: first, state: second }] : [{ city: first }, { state: first }]
  for (const where of places) {
    const found = JSON.parse(await findPros(deps, { ...filter, ...where, ...paging })) as Results
    if (found.meta.total > 0) return found
  }
  return { professionals: [], meta: pageMeta(0, paging) }
}

type Categories = Awaited<ReturnType<typeof listServices>>['categories']

function homePage({ config }: Deps, search: Search, categories: Categories, found: Results | undefined): Page {
  const service = categories.flatMap(({ services }) => services).find(({ slug }) => slug === search.service)
  const heading = service?.name ?? 'Home services'
  const title = found ? `${heading}${search.place === '' ? '' : ` in ${search.place}`}` : 'Find a pro for your home'
  return {
    title,
    description: 'Verified pros for your home, with prices, open times and reviews. Book in a minute.',
    head: html`<link rel="canonical" href="${config.baseUrl}/" />`,
    content: html`
      <h1>${title}</h1>
      ${!found && html`<p class="lead">See prices, open times and reviews. Book in a minute.</p>`}
      ${searchForm(search, categories)} ${found ? results(search, found) : catalog(categories)}
    `,
  }
}

const searchForm = ({ service, place }: Search, categories: Categories): Html =>
  html`<form class="search" role="search">
    ${selectField({
      name: 'service',
      label: 'What do you need?',
      value: service,
      choices: [
        { value: '', label: 'Any service' },
        ...categories.flatMap(({ services }) => services.map(({ slug, name }) => ({ value: slug, label: name }))),
      ],
    })}
    ${textField({ name: 'place', label: 'Where?', value: place, placeholder: 'Austin, TX', maxLength: MAX_TEXT, autocomplete: 'address-level2' })}
    <button>Search</button>
  </form>`

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
    </div>
    <p class="hint">Are you a developer? See the <a href="/api-docs">API reference</a>.</p>`

function results({ service, place }: Search, { professionals, meta }: Results): Html {
  if (professionals.length === 0)
    return emptyState('No pros found here.', 'Try another place, such as “Austin, TX” or “TX”.')
  return html`
    <p class="quiet">${plural(meta.total, 'pro')}</p>
    <ul class="offers">
      ${professionals.map(found)}
    </ul>
    ${pager('/', meta, { service, place }, ['← Previous', 'Next →'])}
  `
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
      ${pro.pricing && html`<span>from ${money(pro.pricing.min, pro.pricing.currency, 0)}</span>`}
      ${pro.bookingUrl !== null && html`<a href="/pros/${pro.slug}/book" aria-label="Book ${pro.businessName}">Book</a>`}
    </div>
  </li>`
