// The HTML of a message as a document of its own, for a frame in the console.
import type { RenderedMessage } from '../../../features/messages/messages/kinds.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { section } from '../../ui/parts.ts'
import { PAGE_TYPE } from '../../ui/layout.ts'

/** Messages have inline styles, and people's texts: no script runs, nothing is loaded, no form is sent, no link leads out. */
const MESSAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

export const htmlDocument = ({ html: body }: Pick<RenderedMessage, 'html'>): Response =>
  new Response(body, {
    headers: { 'content-type': PAGE_TYPE, 'content-security-policy': MESSAGE_POLICY, 'referrer-policy': 'no-referrer' },
  })

/** What a page with such a frame may load. */
export const FRAME_SOURCES = { 'frame-src': "'self'" }

/** A message with its parts. `path` serves its HTML. */
export const messageParts = ({ subject, text, attachments }: RenderedMessage, path: string): Html => html`
  ${section(subject, html`<iframe class="message" src="${path}" title="${subject}" sandbox></iframe>`)}
  ${section('Text', html`<pre class="message-text">${text}</pre>`)}
  ${
    attachments.length > 0 &&
    section(
      'Attachments',
      attachments.map(
        ({ filename, contentType, content }) =>
          html`<p><strong>${filename}</strong>, ${contentType}</p>
            <pre class="message-text">${content}</pre>`,
      ),
    )
  }
`
