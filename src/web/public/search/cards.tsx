/** @jsxImportSource preact */
// One found pro: name, rating, the price of the service that is searched for, the next open time, a line of a review.
import { LinkButton } from '../../ui/buttons.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { NextOpenTime } from '../../../features/calendar/availability/verbs.ts'
import type { PublicPicture } from '../../../features/files/pictures/schemas.ts'
import type { ReviewLine } from '../../../features/reviews/reviews/verbs/reviews.ts'
import type { MatchedService, Professional } from '../../../features/search/pros/schemas.ts'
import { duration, priceOf, shortMoney, shortVisitTime } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Avatar } from '../../ui/pictures.tsx'
import { Rating } from '../../ui/ratings.tsx'
import { measuredText } from '../../../platform/text/distance.ts'
import { OfRegion } from '../../ui/site.tsx'

/** The pros of a page, numbered as the dots of its map. */
export const cards = (
  professionals: readonly Professional[],
  { times, logos, lines, firstNumber = 1 }: CardDetails & { firstNumber?: number },
): VNode => (
  <ol class="found">
    {professionals.map((pro, index) =>
      card(pro, firstNumber + index, { next: times.get(pro.id), logo: logos.get(pro.id), line: lines.get(pro.id) }),
    )}
  </ol>
)

/** What cards show besides the result of the search, by the ids of pros. */
export interface CardDetails {
  times: ReadonlyMap<string, NextOpenTime>
  logos: ReadonlyMap<string, PublicPicture>
  lines: ReadonlyMap<string, ReviewLine>
}

const card = (
  pro: Professional,
  number: number,
  {
    next,
    logo,
    line,
  }: { next: NextOpenTime | undefined; logo: PublicPicture | undefined; line: ReviewLine | undefined },
): VNode => (
  <li id={`pro-${number}`}>
    <Avatar name={pro.businessName} logo={logo} />
    <div class="who-it-is">
      <h3>
        <span class="nth" aria-hidden="true">
          {number}
        </span>
        <a href={profilePath(pro)}>{pro.businessName}</a>
      </h3>
      <p>
        <Rating average={pro.rating} reviews={pro.reviewCount} />{' '}
        {pro.verified && (
          <span class="trust">
            <Icon name="shield-check" /> Verified
          </span>
        )}{' '}
        {pro.location && (
          <span class="quiet">
            {'· '}
            {pro.location.city}, {pro.location.state}
            {pro.distance !== null && ' · '}
            {pro.distance !== null && <OfRegion>{(region) => measuredText(region, pro.distance ?? 0)}</OfRegion>}
          </span>
        )}
      </p>
      {line ? (
        <p class="quiet about">“{lineOf(line.content)}”</p>
      ) : (
        pro.description !== null && <p class="quiet about">{pro.description}</p>
      )}
    </div>
    <div class="terms">
      <p class="price-line">{pro.matchedService ? priceAndLength(pro.matchedService) : lowestPrice(pro)}</p>
      {next && (
        <p class="next">
          <a class="chip" href={pathIn(next.bookingUrl)}>
            <Icon name="clock" /> <span class="unseen">Next open time: </span>
            {shortVisitTime(next.date, next.time)}
          </a>
        </p>
      )}
      {howToBook(pro)}
    </div>
  </li>
)

/** The profile, which offers the service that was searched for. */
const profilePath = ({ slug, matchedService }: Professional): string =>
  `/pros/${slug}${matchedService ? `?service=${matchedService.id}` : ''}`

/** The first sentence, or as much of the line as ends with a word. */
function lineOf(content: string): string {
  const [sentence = ''] = /^[^.!?\n]{10,118}[.!?]/.exec(content) ?? []
  if (sentence !== '' || content.length <= 118) return sentence || content
  return `${content.slice(0, 118).replace(/\s+\S*$/, '')}…`
}

/** The part of a URL of this server after its origin. */
export function pathIn(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const priceAndLength = ({ pricing, booking }: MatchedService): VNode => (
  <>
    <strong>{priceOf(pricing)}</strong>{' '}
    {booking.durationMinutes !== null && <span class="quiet">{duration(booking.durationMinutes)}</span>}
  </>
)

/** Without a service, "from" the pro's lowest price per visit; prices per hour or per unit are not comparable with it. */
const lowestPrice = ({ pricing }: Professional): VNode | false =>
  pricing !== null && pricing.min > 0 && <strong>from {shortMoney(pricing.min, pricing.currency)} per visit</strong>

/** The booking link where the service, or without one any service, can be booked at once; otherwise the quote link. */
function howToBook({ slug, businessName, bookingUrl, matchedService }: Professional): VNode {
  if (bookingUrl !== null)
    return (
      <LinkButton href={pathIn(bookingUrl)} label={`Book ${businessName}`} isSmall>
        Book
      </LinkButton>
    )
  const query = matchedService ? `?service=${matchedService.id}` : ''
  return (
    <LinkButton
      href={`/pros/${slug}/quote${query}`}
      label={`Ask for a quote from ${businessName}`}
      look="quiet"
      isSmall
    >
      Ask for a quote
    </LinkButton>
  )
}
