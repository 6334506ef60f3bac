/** @jsxImportSource preact */
// /privacy: what is stored about people, for how long, and how they see or erase it.
import type { Config } from '../../../config.ts'
import type { Page } from '../../ui/layout.tsx'

export const privacyPage = ({ message }: Config['historyDays']): Page => ({
  title: 'Privacy',
  description: 'What is stored about you, who sees it, for how long, and how you get a copy or erase it.',
  content: (
    <div class="text-page">
      <h1>Privacy</h1>
      <p class="lead">Searching needs no account. What you enter to book is used for that booking.</p>
      <h2>What is stored</h2>
      <ul>
        <li>
          What you enter when you book, ask for a quote or write a review: name, e-mail address, phone, address, texts.
        </li>
        <li>What was agreed and paid. Card numbers go to the payment provider, never to us.</li>
        <li>The messages that were sent to you, for {message} days.</li>
      </ul>
      <h2>Who sees it</h2>
      <ul>
        <li>The pro whom you book or ask, and the tools that the pro has connected.</li>
        <li>The people who run this site, to help with a booking and to read reviews before they are published.</li>
        <li>With a review, your first name and initial are public.</li>
      </ul>
      <h2>Cookies</h2>
      <p>
        Cookies serve only to keep you signed in, to protect forms, and to show the result of a form. Pages load nothing
        from other sites, except the payment form on the payment page. There is no advertising and no tracking.
      </p>
      <h2>A copy, or erasure</h2>
      <p>
        <a href="/my/data">Your data</a> gives you a copy of everything that belongs to you, and erases it. You sign in
        there with a code that comes by e-mail. Before the erasure, visits to come must be cancelled, and work in
        progress finished. Amounts, times and stars stay, without your name and texts. What a pro noted elsewhere, or an
        assistant told the pro, is the pro’s: ask the pro.
      </p>
    </div>
  ),
})
