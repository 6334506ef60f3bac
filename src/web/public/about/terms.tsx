/** @jsxImportSource preact */
// /terms: the operator's own terms, if there are some, and what a booking means: the rules that the software applies.
import { SiteName } from '../../ui/site.tsx'
import { depositPolicyOf } from '../../../features/booking/bookings/rules/cancellation.ts'
import { holdLength } from '../../../features/booking/bookings/rules/holds.ts'
import { type Defaults, reviewPolicyText } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { beforeStart } from '../../../platform/text/cancelling.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { inForce } from '../../../features/upkeep/legal-texts/schemas.ts'
import type { Page } from '../../ui/layout.tsx'
import type { VNode } from 'preact'
import { FormerVersions, TextInForce } from '../../ui/legal-texts.tsx'

/** The operator's own terms come first: they say whose the rest is. */
export const termsPage = ({ legal }: Marketplace, defaults: Defaults): Page =>
  inForce(legal, 'terms')
    ? {
        title: 'Terms',
        description: 'The terms of this site, and what holds for every booking: payment, cancelling, refunds.',
        content: (
          <div class="text-page">
            <h1>Terms</h1>
            <p>
              <a href="#booking-terms">Booking terms</a>: when a booking is confirmed, what cancelling costs.
            </p>
            <TextInForce kind="terms" />
            <h2 id="booking-terms">Booking terms</h2>
            <p>{HOLD_FOR_ALL}</p>
            <Rules defaults={defaults} heading="h3" />
            <FormerVersions kind="terms" />
          </div>
        ),
      }
    : {
        title: 'Booking terms',
        description: 'When a booking is confirmed, what cancelling costs, how deposits and refunds work.',
        content: (
          <div class="text-page">
            <h1>Booking terms</h1>
            <p class="lead">{HOLD_FOR_ALL}</p>
            <Rules defaults={defaults} heading="h2" />
            <FormerVersions kind="terms" />
          </div>
        ),
      }

const HOLD_FOR_ALL = (
  <>
    These rules hold for every booking on <SiteName />. The work itself is between you and the pro.
  </>
)

const Rules = ({ defaults, heading: H }: { defaults: Defaults; heading: 'h2' | 'h3' }): VNode => (
  <>
    <H>When a booking is confirmed</H>
    <ul>
      <li>Most bookings are confirmed at once.</li>
      <li>Some pros approve each booking first. You get an e-mail when they have decided.</li>
      <li>
        Where a deposit or a fee is due, the time is held for {holdLength(defaults)}. When it is paid, the booking is
        confirmed; otherwise the time is offered to others again and you pay nothing.
      </li>
    </ul>
    <H>What was agreed stays agreed</H>
    <p>
      A booking keeps the price, the package and the deposit that you saw when you booked. Later changes of the pro’s
      offer do not touch it. A price range means that the pro names the final price after seeing the work.
    </p>
    <H>Moving and cancelling</H>
    <ul>
      <li>
        Where you paid a deposit or a fee, cancelling is free until {beforeStart(defaults.freeCancellationHours)} of the
        visit: what you paid comes back. Later than that, it is kept. The page says it of your time before you book,
        move or cancel, and a booking keeps what it said.
      </li>
      <li>Where you paid nothing in advance, cancelling is free at any time before the visit.</li>
      <li>When the pro cancels, everything that you paid comes back, at any time.</li>
      <li>You can move a visit to another open time. If the pro proposes another time, you decide.</li>
    </ul>
    <H>Quotes</H>
    <p>
      Asking for a quote is free. A quote binds you only when you accept it yourself. A deposit that the quote names is
      paid then, and you choose a time for the work. {depositPolicyOf(defaults)}
    </p>
    <H>Reviews</H>
    <p>You can review a visit after it took place, once. {reviewPolicyText(defaults)}</p>
    <p>
      <a href="/bookings">Look up a booking</a> to move or cancel it, or read{' '}
      <a href="/about">
        how <SiteName /> works
      </a>
      .
    </p>
  </>
)
