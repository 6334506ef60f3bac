/** @jsxImportSource preact */
// The first page: one search, six trades, the rest folded.
import { count, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { FormContext } from '../../ui/form.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { DEFAULT_TAGLINE, SiteContext } from '../../ui/site.tsx'
import type { Page } from '../../ui/layout.tsx'
import { type Categories, searchFields } from './form.tsx'
import { catalog } from './catalog.tsx'
import type { Context } from './view.tsx'
import { searchIn } from './query.ts'
import { ServedArea, ServedCities } from '../served-area.tsx'

/** Trades whose icon says what they do; others have tools. */
const ICONS: Partial<Record<string, IconName>> = {
  plumbing: 'wrench',
  electrical: 'bolt',
  hvac: 'fire',
  cleaning: 'sparkles',
  handyman: 'wrench-screwdriver',
  landscaping: 'sun',
  painting: 'paint-brush',
  'pest-control': 'bug-ant',
  moving: 'truck',
  remodeling: 'home-modern',
  'locksmith-security': 'key',
}
const SHOWN_TRADES = 6
/** Named below a trade. */
const SHOWN_SERVICES = 3

/** What the operators say of the marketplace, or what holds for each. */
const Tagline = (): VNode => (
  <SiteContext.Consumer>{({ tagline }: Marketplace) => tagline ?? DEFAULT_TAGLINE}</SiteContext.Consumer>
)

/** The page without a search. `pros` is their number. */
export function homePage({ baseUrl, formState, categories, cities }: Context, pros: number): Page {
  const largest = categories.toSorted((one, other) => offersIn(other) - offersIn(one)).slice(0, SHOWN_TRADES)
  return {
    title: 'Find a pro for your home',
    description: 'Pros for your home, with what was checked of them, prices, open times and reviews. Book in a minute.',
    canonical: `${baseUrl}/`,
    scripts: ['search.js'],
    styles: ['search.css'],
    content: (
      <>
        <div class="hero">
          <h1>Find a pro for your home</h1>
          <p class="lead">
            <Tagline />
          </p>
          <form class="finder" action="/" autocomplete="off">
            <FormContext.Provider value={{ formState, labels: new Map() }}>
              {searchFields(searchIn(new URLSearchParams()), categories, undefined)}
            </FormContext.Provider>
          </form>
          <ServedArea />
          {pros > 0 && <p class="quiet">{plural(pros, 'pro')} with prices and open times</p>}
        </div>
        <h2>Popular trades</h2>
        <ul class="tiles">{largest.map(tile)}</ul>
        {allServices(categories)}
        <ServedCities cities={cities} />
      </>
    ),
  }
}

/** A pro counts once for each service. */
const offersIn = ({ services }: Categories[number]): number =>
  services.reduce((sum, { professionalCount }) => sum + professionalCount, 0)

const tile = ({ slug, name, services }: Categories[number]): VNode => (
  <li>
    <Icon name={ICONS[slug] ?? 'wrench-screwdriver'} />
    <div>
      <h3>
        <a href={`/?service=${encodeURIComponent(name)}`}>{name}</a>
      </h3>
      <p class="quiet">
        {services
          .slice(0, SHOWN_SERVICES)
          .map((it) => it.name)
          .join(', ')}
      </p>
    </div>
  </li>
)

const allServices = (categories: Categories): VNode => (
  <details class="disclosure all-services">
    <summary>All {count(categories.reduce((sum, { services }) => sum + services.length, 0))} services</summary>
    {catalog(categories)}
  </details>
)
