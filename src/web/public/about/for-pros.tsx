/** @jsxImportSource preact */
// /for-pros: what Hearth does for a pro, and how to start.
import type { VNode } from 'preact'

import { JOIN_PATH } from '../../../features/business/applications/verbs/move-application.ts'
import { type Defaults, reviewPolicyText } from '../../../features/upkeep/marketplace/rules/defaults.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import type { Page } from '../../ui/layout.tsx'
import { ServedArea } from '../served-area.tsx'
import { Steps } from '../../ui/lists.tsx'
import { Contact } from '../../ui/site.tsx'

export const forProsPage = (defaults: Defaults): Page => ({
  title: 'For pros',
  description: 'Your prices, your hours, your calendar: homeowners nearby find you and book. How it works for pros.',
  content: (
    <div class="text-page">
      <h1>Customers nearby, booked into your calendar</h1>
      <p class="lead">
        Homeowners see your prices, your reviews and the times that you are free. They book, you do the work.
      </p>
      <ServedArea />
      <p class="actions">
        {defaults.prosMayJoin && <LinkButton href={JOIN_PATH}>Apply to join</LinkButton>}{' '}
        <LinkButton href="/console/login" look={defaults.prosMayJoin ? 'quiet' : 'plain'}>
          Log in to your console
        </LinkButton>
      </p>
      <h2>How it works</h2>
      <Steps
        steps={[
          <>
            <h3>Say what you do</h3>
            <p>Your services, prices, packages and service area. A price can be fixed, by the hour, or a range.</p>
          </>,
          <>
            <h3>Say when you work</h3>
            <p>Business hours, breaks between visits, and how much notice you need. Only times that fit are offered.</p>
          </>,
          <>
            <h3>Take bookings and requests</h3>
            <p>Let customers book at once, approve each booking first, or answer requests with a quote.</p>
          </>,
        ]}
      />
      <h2>What you decide</h2>
      <ul>
        <li>Whether bookings are confirmed at once or wait for your approval.</li>
        <li>Whether a customer pays a deposit before a visit is confirmed.</li>
        <li>Who is blocked from booking with you.</li>
        <li>Which team member takes which visit.</li>
      </ul>
      <h2>It fits what you already use</h2>
      <ul>
        <li>Subscribe to your bookings from the calendar on your phone.</li>
        <li>Import your own calendar: times when you are busy are not offered.</li>
        <li>Put your open times on your own website with the booking widget.</li>
        <li>Let an assistant prepare quotes and replies. Nothing that binds you happens without your consent.</li>
      </ul>
      <h2>Reviews that mean something</h2>
      <p>
        A review is marked as verified when it belongs to a finished visit. {reviewPolicyText(defaults)} Owners cannot
        review their own business.
      </p>
      <Joining prosMayJoin={defaults.prosMayJoin} />
    </div>
  ),
})

const Joining = ({ prosMayJoin }: Pick<Defaults, 'prosMayJoin'>): VNode => (
  <>
    <h2>How to join</h2>
    {prosMayJoin ? (
      <>
        <p>
          <a href={JOIN_PATH}>Apply to join</a>: your business, where you work, your services with prices, your hours.
          It takes about ten minutes, and each step is saved. A person reads it. Once it is approved, you get a link by
          e-mail to choose a password, and customers find you.
        </p>
        <p>Do you have a question first? Write to the people who run this site.</p>
        <Contact />
      </>
    ) : (
      <p>
        Pros join by invitation. The people who run this site create your account and send you a link by e-mail. With it
        you choose a password and <a href="/console/login">log in</a>. The link has expired? Ask them for a new one.
      </p>
    )}
  </>
)
