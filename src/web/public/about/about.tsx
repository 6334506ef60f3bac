/** @jsxImportSource preact */
// /about: how Hearth works for homeowners.
import { type Defaults, reviewPolicyText } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { Contact, Said, SiteName } from '../../ui/site.tsx'
import { LinkButton } from '../../ui/buttons.tsx'
import type { Page } from '../../ui/layout.tsx'
import { Steps } from '../../ui/lists.tsx'

export const aboutPage = (defaults: Defaults): Page => ({
  title: 'How it works',
  description: 'Find a pro for your home, compare prices and open times, book or ask for a quote.',
  content: (
    <div class="text-page">
      <h1>
        How <SiteName /> works
      </h1>
      <p class="lead">
        <SiteName /> finds a pro for work at your home, and shows the price and the next open time before you ask.
      </p>
      <p>
        <LinkButton href="/">Find a pro</LinkButton>
      </p>
      <h2 class="unseen">In three steps</h2>
      <Steps
        steps={[
          <>
            <h3>Search</h3>
            <p>
              <Said>Say what you need and where: a city or a ZIP code. Filter by price, rating and open times.</Said>
            </p>
          </>,
          <>
            <h3>Compare</h3>
            <p>Each pro shows prices, reviews and open times. Some work needs a look first: ask for a quote.</p>
          </>,
          <>
            <h3>Book</h3>
            <p>Choose a time and leave your name. You need no account and no password.</p>
          </>,
        ]}
      />
      <h2>After you book</h2>
      <p>
        You get an e-mail with the time, the price and a calendar entry. Its link lets you move or cancel the visit.
        With the confirmation code you can also <a href="/bookings">look up the booking</a>, and{' '}
        <a href="/my">My bookings</a> shows all of yours: you sign in with a code that comes by e-mail.
      </p>
      <h2>Prices</h2>
      <p>
        Pros set their own prices. Typical prices of a city come from real offers, accepted quotes and finished work,
        and are shown only where there are enough of them.
      </p>
      <h2>Reviews</h2>
      <p>
        A review is marked as verified when the pro has finished the author’s visit. {reviewPolicyText(defaults)} It
        shows the author’s first name and initial.
      </p>
      <Contact />
      <p>
        See also the <a href="/terms">booking terms</a> and <a href="/privacy">what is stored about you</a>.
      </p>
    </div>
  ),
})
