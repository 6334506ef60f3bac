/** @jsxImportSource preact */
// A pro's page: its head, its main action and the sections that the pro chose.
import { LinkButton } from '../../ui/buttons.tsx'
import { zoneName } from '../../../platform/clock/zones.ts'
import { clockTime, plural, weekday } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Section } from '../../ui/headings.tsx'
import { PhoneLink } from '../../ui/links.tsx'
import type { Page } from '../../ui/layout.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Avatar, Gallery, Picture } from '../../ui/pictures.tsx'
import { Rating } from '../../ui/ratings.tsx'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { proCard, shareImage } from '../share-cards.ts'
import { profileData } from '../structured-data.ts'
import { serviceOf, trailOfPro } from '../trails.ts'
import { DataBlock } from '../../../platform/text/markup.tsx'
import { type Profile, sections } from './sections.tsx'
import { Distance, OfRegion } from '../../ui/site.tsx'

export function profilePage(pro: Profile, baseUrl: string): Page {
  const place = pro.location && `${pro.location.city}, ${pro.location.state}`
  const trades = pro.categories.join(', ')
  const { gallery } = pro.pictures
  const title = place ? `${pro.businessName}, ${place}` : pro.businessName
  const image = shareImage(pro.profileUrl, proCard(pro))
  const service = serviceOf(pro.services, pro.wantedServiceId)
  const trail = trailOfPro({ pro, service, location: pro.location })
  const description = (pro.headline ?? pro.description ?? `${trades} in ${place ?? 'your area'}.`).slice(0, 200)
  return {
    title,
    description,
    canonical: pro.profileUrl,
    kind: 'business.business',
    image,
    head: (
      <>
        {pro.site.themeColor !== null && <meta name="theme-color" content={pro.site.themeColor} />}
        <OfRegion>
          {({ country }) => (
            <DataBlock
              type="application/ld+json"
              value={profileData(pro, { shareUrl: image.url, trail, baseUrl, country })}
            />
          )}
        </OfRegion>
      </>
    ),
    styles: ['search.css'],
    content: (
      <div class="profile">
        <Breadcrumbs trail={trail} />
        {header(pro, { place, trades })}
        <aside class="booking-card" aria-label="Book or ask">
          {pro.openTimes && (
            <p class="price-line">
              <strong>{pro.openTimes.price}</strong> <span class="quiet">{pro.openTimes.service}</span>
            </p>
          )}
          {mainAction(pro)}
          {nextTimes(pro)}
        </aside>
        <div>
          {gallery.length > 0 && (
            <Section title="Pictures">
              <Gallery pictures={gallery} owner={pro.businessName} />
            </Section>
          )}
          {pro.site.sections.map((name) => sections[name](pro))}
        </div>
      </div>
    ),
  }
}

/** Pictures, name, rating and place. */
const header = (pro: Profile, { place, trades }: { place: string | null; trades: string }): VNode => {
  const { cover, logo } = pro.pictures
  return (
    <div class="profile-head">
      {cover !== null && (
        <div class="cover">
          <Picture
            picture={cover}
            alt={`The work of ${pro.businessName}`}
            sizes="(max-width: 72rem) 100vw, 70rem"
            isEager
          />
        </div>
      )}
      <div class="with-avatar">
        <Avatar name={pro.businessName} logo={logo} isLarge />
        <h1>{pro.site.heroTitle ?? pro.businessName}</h1>
      </div>
      {pro.site.heroTitle !== null && (
        <p>
          <strong>{pro.businessName}</strong>
        </p>
      )}
      <p class="lead">{pro.site.heroText ?? pro.headline ?? trades}</p>
      {facts(pro, place)}
      {pro.verified && (
        <p class="hint">
          Verified: we have checked the business of this name. <a href="#checked">What was checked</a>
        </p>
      )}
    </div>
  )
}

/** What speaks for the pro, in a few words each. */
const facts = (pro: Profile, place: string | null): VNode => (
  <ul class="facts">
    <li>
      <a href="#reviews">
        <Rating average={pro.reviews.stats.average} reviews={pro.reviews.stats.count} />
      </a>
    </li>
    {pro.verified && (
      <li class="trust">
        <Icon name="shield-check" /> Verified
      </li>
    )}
    {place !== null && (
      <li>
        <Icon name="map-pin" /> Within <Distance miles={pro.serviceRadius} /> of {place}
      </li>
    )}
    {hired(pro) > 0 && (
      <li>
        <Icon name="trophy" /> Hired {plural(hired(pro), 'time')}
      </li>
    )}
    {pro.yearsOfExperience !== null && pro.yearsOfExperience > 0 && (
      <li>
        <Icon name="briefcase" /> {plural(pro.yearsOfExperience, 'year')} of experience
      </li>
    )}
    {pro.acceptsEmergency && (
      <li>
        <Icon name="bolt" /> Takes emergency calls
      </li>
    )}
  </ul>
)

/** Work that was done for people who found the pro here. */
const hired = ({ counts }: Profile): number => counts.completedBookings + counts.completedJobs

/** The next times that can be booked, as links to their booking pages. */
function nextTimes({ openTimes, timezone }: Profile): VNode | false {
  if (!openTimes || openTimes.times.length === 0) return false
  const { all, times } = openTimes
  return (
    <>
      <p>
        <strong>Next open times</strong> <span class="quiet">{zoneName(timezone)}</span>
      </p>
      {Array.from(
        Map.groupBy(times, ({ date }) => date),
        ([date, some]) => (
          <>
            <p>{weekday(date)}</p>
            <ul class="times">
              {some.map(({ time, href }) => (
                <li>
                  <LinkButton href={href} label={`Book ${weekday(date)}, ${clockTime(time)}`} look="quiet" isSmall>
                    {clockTime(time)}
                  </LinkButton>
                </li>
              ))}
            </ul>
          </>
        ),
      )}
      <p>
        <a href={all}>All open times</a>
      </p>
    </>
  )
}

/** The pro's call to action, then the other ways to get in touch. */
function mainAction({ bookingUrl, slug, contact, site }: Profile) {
  const label = (usual: string) => site.callToActionLabel ?? usual
  const call = contact.phone !== null && <PhoneLink phone={contact.phone} look="button quiet" />
  if (site.callToAction === 'call' && contact.phone !== null)
    return (
      <p class="actions">
        <PhoneLink phone={contact.phone} look="button" label={label('Call')} />{' '}
        <LinkButton href={`/pros/${slug}/quote`} look="quiet">
          Ask for a quote
        </LinkButton>
      </p>
    )
  const quote = (usual: string, tone: '' | 'quiet') => (
    <a class={`button ${tone}`} href={`/pros/${slug}/quote`}>
      {usual}
    </a>
  )
  const isQuoteFirst = bookingUrl === null || site.callToAction === 'quote'
  return (
    <p class="actions">
      {isQuoteFirst ? (
        quote(label('Ask for a quote'), '')
      ) : (
        <>
          <LinkButton href={`/pros/${slug}/book`}>{label('Book a time')}</LinkButton>{' '}
          {quote('Ask for a quote', 'quiet')}
        </>
      )}{' '}
      {call}
    </p>
  )
}
