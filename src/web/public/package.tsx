/** @jsxImportSource preact */
// /packages/{sku}: a fixed-price package of a pro, and how to book it.
import { LinkButton } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { ChosenOffer } from '../../features/calendar/availability/schemas.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import type { Package } from '../../features/business/packages/schemas.ts'
import { getPackage } from '../../features/business/packages/verbs/packages.ts'
import type { PublicPicture } from '../../features/files/pictures/schemas.ts'
import { listLogos } from '../../features/files/pictures/verbs.ts'
import type { ProfessionalDetail } from '../../features/search/pros/schemas.ts'
import { getPro } from '../../features/search/pros/verbs/pros.ts'
import { viewerOfPackageLink } from '../../features/upkeep/test-mode/verbs.ts'
import { publicPage } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import type { VNode } from 'preact'
import { PhoneLink } from '../ui/links.tsx'
import type { Page } from '../ui/layout.tsx'
import { DetailList } from '../ui/table.tsx'
import { Section } from '../ui/headings.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { duration, priceOf, shortMoney } from '../../platform/text/format.ts'
import { Avatar, pictureSources } from '../ui/pictures.tsx'
import { Rating } from '../ui/ratings.tsx'
import { renderPageFor } from './test-notice.tsx'
import { packageCard, shareImage } from './share-cards.ts'
import { packageData } from './structured-data.ts'
import { trailOfPro } from './trails.ts'
import { DataBlock } from '../../platform/text/markup.tsx'
import { Distance } from '../ui/site.tsx'

export const packagePages = (deps: Deps) =>
  new Elysia({ name: 'package-pages' }).use(guard(deps)).get(
    '/packages/:id',
    async function getPackagePage({ ctx, request, params: { id } }) {
      if (!ctx.config.features.has('FEATURE_OFFER_PACKAGES'))
        throw new AppError('not_found', 'There are no packages on this site.')
      const viewer = await viewerOfPackageLink(ctx, { sku: id })
      const offer = await getPackage(ctx.as(viewer), { name: id })
      // Ids and lower-case SKUs redirect to the one URL of a package.
      if (id !== offer.sku) return new Response(null, { status: 308, headers: { location: `/packages/${offer.sku}` } })
      const [pro, { service }, logos] = await Promise.all([
        getPro(ctx.as(viewer), { pro: offer.professional.id }),
        getOpenSlots(ctx.as(viewer), { packageId: offer.id, pro: offer.professional.id }),
        listLogos(ctx, { ids: [offer.professional.id] }),
      ])
      // SQL builds the JSON after the schema of this type.
      const detail = JSON.parse(pro) as ProfessionalDetail
      const page = packagePage(ctx, { offer, pro: detail, terms: service, logo: logos.get(detail.id) })
      return renderPageFor(request, viewer, page, pictureSources(ctx.config))
    },
    { access: publicPage, caching: 'public' },
  )

const CADENCES: Record<Package['cadence'], string> = {
  once: 'Once',
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  quarterly: 'Every three months',
  yearly: 'Every year',
}

interface ShownPackage {
  offer: Package
  pro: ProfessionalDetail
  terms: ChosenOffer | null
  logo: PublicPicture | undefined
}

function packagePage({ config }: Deps, { offer, pro, terms, logo }: ShownPackage): Page {
  const { professional, location } = offer
  const place = `${location.city}, ${location.state}`
  const price = shortMoney(offer.price, offer.currency)
  // No sentence goes on after a name that a pro typed, which may end in a word such as “in”.
  const title = `${offer.name}: ${price} in ${place}`
  const description = `${offer.name}: ${price} from ${professional.businessName} in ${place}.`.slice(0, 200)
  const { baseUrl } = config
  const url = `${baseUrl}/packages/${offer.sku}`
  const image = shareImage(url, packageCard(offer))
  const trail = trailOfPro({ pro: professional, service: offer.service, location }, offer.name)
  return {
    title,
    description,
    canonical: url,
    kind: 'product',
    image,
    head: (
      <DataBlock
        type="application/ld+json"
        value={packageData(offer, {
          url,
          profileUrl: `${baseUrl}/pros/${professional.slug}`,
          shareUrl: image.url,
          trail,
          baseUrl,
        })}
      />
    ),
    content: (
      <>
        <Breadcrumbs trail={trail} />
        <h1>{offer.name}</h1>
        <div class="with-avatar">
          <Avatar name={professional.businessName} logo={logo} />
          <p class="lead">
            {offer.service.name} at a fixed price, by {professional.businessName} in {place}.
          </p>
        </div>
        <div class="offer">
          <p class="amount">
            <strong>{priceOf(offer.pricing)}</strong> <span class="quiet">{CADENCES[offer.cadence].toLowerCase()}</span>
          </p>
          {howToBook(offer, pro, terms)}
        </div>
        {contentsOf(offer)}
        {detailsOf(offer, pro)}
      </>
    ),
  }
}

const detailsOf = (offer: Package, pro: ProfessionalDetail): VNode => (
  <Section title="Details">
    <DetailList
      pairs={[
        ['Duration', duration(offer.durationMinutes)],
        ['How often', CADENCES[offer.cadence]],
        ['Bedrooms', offer.bedrooms],
        ['Bathrooms', offer.bathrooms],
        [
          'Area',
          <>
            Within <Distance miles={pro.serviceRadius} /> of {offer.location.city}, {offer.location.state}
          </>,
        ],
        ['Pro', proLink(offer)],
        ['Package number', <code>{offer.sku}</code>],
      ]}
    />
  </Section>
)

/** What the package includes and how the pro describes it, where they say so. */
const contentsOf = (offer: Package): VNode => (
  <>
    {offer.includes.length > 0 && (
      <Section title="What’s included">
        <ul class="ticked">
          {offer.includes.map((item) => (
            <li>{item}</li>
          ))}
        </ul>
      </Section>
    )}
    {offer.description !== null && (
      <Section title="Description">
        <p class="prose">{offer.description}</p>
      </Section>
    )}
  </>
)

const proLink = ({ professional: { slug, businessName, verified, rating: average, reviewCount } }: Package): VNode => (
  <>
    <a href={`/pros/${slug}`}>{businessName}</a> {verified && <span class="badge good">Verified</span>}
    <br /> <Rating average={average} reviews={reviewCount} />
  </>
)

/** The booking link of a package that can be booked; for all others the reason and the link to ask for a quote. */
function howToBook({ id, service }: Package, pro: ProfessionalDetail, terms: ChosenOffer | null): VNode {
  if (!terms || terms.obstacle)
    return (
      <>
        <p class="actions">
          <LinkButton href={`/pros/${pro.slug}/quote?service=${service.id}`}>Ask for a quote</LinkButton>{' '}
          {pro.contact.phone !== null && <PhoneLink phone={pro.contact.phone} look="button quiet" />}
        </p>
        {terms?.obstacle && <p class="hint">{terms.obstacle.detail}</p>}
      </>
    )
  const { fee, deposit, price, dueAtVisit } = terms
  const toPay = [
    fee > 0 && `a booking fee of ${shortMoney(fee)}`,
    deposit !== null && deposit > 0 && `a deposit of ${shortMoney(deposit)}`,
  ].filter(Boolean)
  return (
    <>
      <p class="actions">
        <LinkButton href={`/pros/${pro.slug}/book?package=${id}`}>Choose a time</LinkButton>
      </p>
      {toPay.length > 0 && price.total !== null && dueAtVisit !== null && (
        <p class="hint">
          {shortMoney(price.total)} in all. When you book, you pay {toPay.join(' and ')}; {shortMoney(dueAtVisit)} to
          the pro, on the day. {terms.cancellation}
        </p>
      )}
    </>
  )
}
