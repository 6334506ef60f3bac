/** @jsxImportSource preact */
// /privacy: the operator's own policy, if there is one, and what the software stores about people, for how long, and how they see
// or erase it.
import type { Config } from '../../../config.ts'
import { inForce } from '../../../features/upkeep/legal-texts/schemas.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import type { Page } from '../../ui/layout.tsx'
import type { VNode } from 'preact'
import { FormerVersions, TextInForce } from '../../ui/legal-texts.tsx'

export const privacyPage =
  ({ message }: Config['historyDays']) =>
  ({ legal }: Marketplace): Page => ({
    title: 'Privacy',
    description: 'What is stored about you, who sees it, for how long, and how you get a copy or erase it.',
    content: (
      <div class="text-page">
        <h1>Privacy</h1>
        {inForce(legal, 'privacy') ? (
          <>
            <p>
              <a href="#your-data">Your data on this site</a>: what is stored, a copy of it, erasure.
            </p>
            <TextInForce kind="privacy" />
            <h2 id="your-data">Your data on this site</h2>
            <p>{FEW_DATA}</p>
            <Rules messageDays={message} heading="h3" />
          </>
        ) : (
          <>
            <p class="lead">{FEW_DATA}</p>
            <Rules messageDays={message} heading="h2" />
          </>
        )}
        <FormerVersions kind="privacy" />
      </div>
    ),
  })

const FEW_DATA = 'Searching needs no account. What you enter to book is used for that booking.'

const Rules = ({ messageDays, heading: H }: { messageDays: number; heading: 'h2' | 'h3' }): VNode => (
  <>
    <H>What is stored</H>
    <ul>
      <li>
        What you enter when you book, ask for a quote or write a review: name, e-mail address, phone, address, texts.
      </li>
      <li>What was agreed and paid. Card numbers go to the payment provider, never to us.</li>
      <li>The messages that were sent to you, for {messageDays} days.</li>
    </ul>
    <H>Who sees it</H>
    <ul>
      <li>The pro whom you book or ask, and the tools that the pro has connected.</li>
      <li>The people who run this site, to help with a booking and to moderate reviews.</li>
      <li>With a review, your first name and initial are public.</li>
    </ul>
    <H>Cookies</H>
    <p>
      Cookies serve only to keep you signed in, to protect forms, and to show the result of a form. Pages load nothing
      from other sites, except the payment form on the payment page. There is no advertising and no tracking.
    </p>
    <H>A copy, or erasure</H>
    <p>
      <a href="/my/data">Your data</a> gives you a copy of everything that belongs to you, and erases it. You sign in
      there with a code that comes by e-mail. Before the erasure, visits to come must be cancelled, and work in progress
      finished. Amounts, times and stars stay, without your name and texts. What a pro noted elsewhere, or an assistant
      told the pro, is the pro’s: ask the pro.
    </p>
  </>
)
