/** @jsxImportSource preact */
// The HTML of a message as a document of its own, for a frame in the console.
import type { Deps } from '../../../deps.ts'
import { BRAND_PATH } from '../../../features/upkeep/brand-pictures/rules/addresses.ts'
import type { RenderedMessage } from '../../../features/messages/messages/templates/rendered.ts'
import type { VNode } from 'preact'
import { Section } from '../../ui/headings.tsx'
import { PAGE_TYPE } from '../../ui/layout.tsx'

/**
 * Messages have inline styles, and people's texts: no script runs, nothing but the logo and the icon of the marketplace is loaded, no
 * form is sent, no link leads out.
 */
const policyOf = ({ config: { baseUrl } }: Deps) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data: ${baseUrl}${BRAND_PATH}/; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`

export const htmlDocument = (deps: Deps, { html: body }: Pick<RenderedMessage, 'html'>): Response =>
  new Response(body, {
    headers: {
      'content-type': PAGE_TYPE,
      'content-security-policy': policyOf(deps),
      'referrer-policy': 'no-referrer',
    },
  })

/** What a page with such a frame may load. */
export const FRAME_SOURCES = { 'frame-src': "'self'" }

/** A message with its parts. `path` serves its HTML. */
export const messageParts = ({ subject, text, attachments }: RenderedMessage, path: string): VNode => (
  <>
    <Section title={subject}>
      <iframe class="message" src={path} title={subject} sandbox=""></iframe>
    </Section>
    <Section title="Text">
      <pre class="message-text">{text}</pre>
    </Section>
    {attachments.length > 0 && (
      <Section title="Attachments">
        {attachments.map(({ filename, contentType, content }) => (
          <>
            <p>
              <strong>{filename}</strong>, {contentType}
            </p>
            <pre class="message-text">{content}</pre>
          </>
        ))}
      </Section>
    )}
  </>
)
