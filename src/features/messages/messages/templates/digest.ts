// The digest: one line for each message that it tells, with its link.
import { plural } from '../../../../platform/text/format.ts'
import type { Content } from './content.ts'

/** A mail of more lines is cut off by mail programs. */
const MAX_LISTED = 200

/** `told` are the messages in their order; their subjects have the time at the visit. */
export function digestOf(told: readonly Content[]): Content {
  const rest = told.length - MAX_LISTED
  const [first] = told
  return {
    subject: `${plural(told.length, 'update')}: ${first?.subject ?? ''}`,
    heading: plural(told.length, 'update'),
    tone: told.some(({ tone }) => tone === 'wait') ? 'wait' : 'plain',
    paragraphs: ['You got many messages within an hour, so these come in one. The oldest is first.'],
    items: told
      .slice(0, MAX_LISTED)
      .map(({ subject, button, link }) => ({ text: subject, url: (button ?? link)?.url })),
    notes: [rest > 0 && `There are ${rest} more. You find all of them on our pages.`],
    reason: first?.reason ?? '',
  }
}
