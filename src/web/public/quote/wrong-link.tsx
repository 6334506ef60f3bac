/** @jsxImportSource preact */
// What a link that leads to no quote shows.
import { LinkButton } from '../../ui/buttons.tsx'
import type { Page } from '../../ui/layout.tsx'

export const wrongQuoteLinkPage: Page = {
  title: 'Quote not found',
  description: 'This link does not lead to a quote.',
  content: (
    <>
      <h1>Quote not found</h1>
      <p class="lead">
        The link is incomplete or has expired. Open it exactly as you received it, or ask the pro for a new quote.
      </p>
      <p class="actions">
        <LinkButton href="/my/requests">See your requests</LinkButton>{' '}
        <LinkButton href="/" look="quiet">
          Find a pro
        </LinkButton>
      </p>
    </>
  ),
}
