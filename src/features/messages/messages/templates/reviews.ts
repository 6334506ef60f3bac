// What pros read of the reviews of their work.
import { plural } from '../../../../platform/text/format.ts'
import { oneLine } from '../../../../platform/text/plain.ts'
import type { MessageData } from '../kinds.ts'
import type { Content } from './content.ts'
import { PRO_HERE, short, wordsOf } from './phrases.ts'

export const newReview = (data: MessageData['new-review']): Content => ({
  subject: `${plural(data.rating, 'star')} from ${short(data.author)}${data.title === null ? '' : `: ${short(data.title)}`}`,
  heading: `${short(data.author)} wrote a review`,
  tone: 'plain',
  paragraphs: [
    data.isPending
      ? 'A moderator reads it before it appears on your profile.'
      : 'It is on your profile now. You can answer it there.',
  ],
  facts: [
    ['Rating', `${'★'.repeat(data.rating)}${'☆'.repeat(5 - data.rating)} ${data.rating} of 5`],
    ['Title', data.title && oneLine(data.title)],
  ],
  quotation: wordsOf(short(data.author), data.content),
  button: { label: 'See your reviews', url: data.consoleUrl },
  reason: PRO_HERE,
})

export function reviewReportDecided(data: MessageData['review-report-decided']): Content {
  const heading = data.outcome === 'kept' ? 'The review you reported stays' : 'The review you reported is taken down'
  return {
    subject: `${heading}: ${short(data.pro)}`,
    heading,
    tone: data.outcome === 'kept' ? 'plain' : 'good',
    paragraphs: [
      data.outcome === 'kept'
        ? 'We have looked at it, and it stays on your profile. Customers read your answer under it.'
        : 'It is published no more, and its stars no longer count.',
    ],
    facts: [['Why', short(data.answer, 1000)]],
    quotation: wordsOf('The review', data.content),
    button: { label: 'See your reviews', url: data.consoleUrl },
    reason: PRO_HERE,
  }
}
