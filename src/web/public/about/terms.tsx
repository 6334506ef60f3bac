/** @jsxImportSource preact */
// /terms: what a booking means: the rules that the software applies.
import { SiteName } from '../../ui/site.tsx'
import { depositPolicyOf } from '../../../features/booking/bookings/rules/cancellation.ts'
import { holdLength } from '../../../features/booking/bookings/rules/holds.ts'
import type { Defaults } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { beforeStart } from '../../../platform/text/cancelling.ts'
import type { Page } from '../../ui/layout.tsx'

export const termsPage = (defaults: Defaults): Page => ({
  title: 'Booking terms',
  description: 'When a booking is confirmed, what cancelling costs, how deposits and refunds work.',
  content: (
    <div class="text-page">
      <h1>Booking terms</h1>
      <p class="lead">
        These rules hold for every booking on <SiteName />. The work itself is between you and the pro.
      </p>
      <h2>When a booking is confirmed</h2>
      <ul>
        <li>Most bookings are confirmed at once.</li>
        <li>Some pros approve each booking first. You get an e-mail when they have decided.</li>
        <li>
          Where a deposit or a fee is due, the time is held for {holdLength(defaults)}. When it is paid, the booking is
          confirmed; otherwise the time is offered to others again and you pay nothing.
        </li>
      </ul>
      <h2>What was agreed stays agreed</h2>
      <p>
        A booking keeps the price, the package and the deposit that you saw when you booked. Later changes of the pro’s
        offer do not touch it. A price range means that the pro names the final price after seeing the work.
      </p>
      <h2>Moving and cancelling</h2>
      <ul>
        <li>
          Where you paid a deposit or a fee, cancelling is free until {beforeStart(defaults.freeCancellationHours)} of
          the visit: what you paid comes back. Later than that, it is kept. The page says it of your time before you
          book, move or cancel, and a booking keeps what it said.
        </li>
        <li>Where you paid nothing in advance, cancelling is free at any time before the visit.</li>
        <li>When the pro cancels, everything that you paid comes back, at any time.</li>
        <li>You can move a visit to another open time. If the pro proposes another time, you decide.</li>
      </ul>
      <h2>Quotes</h2>
      <p>
        Asking for a quote is free. A quote binds you only when you accept it yourself. A deposit that the quote names
        is paid then, and you choose a time for the work. {depositPolicyOf(defaults)}
      </p>
      <h2>Reviews</h2>
      <p>You can review a visit after it took place, once. Reviews are read before they are published.</p>
      <p>
        <a href="/bookings">Look up a booking</a> to move or cancel it, or read{' '}
        <a href="/about">
          how <SiteName /> works
        </a>
        .
      </p>
    </div>
  ),
})
