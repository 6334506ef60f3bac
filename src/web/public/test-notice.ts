// What the pages of a test pro say first.
import { PUBLIC, type Viewer } from '../../auth/caller.ts'
import { html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'

/** The page with a notice for viewers in test mode. */
export const withTestNotice = (viewer: Viewer, page: Page): Page =>
  viewer === PUBLIC
    ? page
    : {
        ...page,
        content: html`<p class="notice wait">
            <strong>Test mode.</strong> This pro is not real: try everything out. No visit takes place, no e-mail is
            sent and no money moves.
          </p>
          ${page.content}`,
      }
