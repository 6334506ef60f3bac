// The plain text part: it says what the HTML part says, in the same order.
import { lines } from '../../../../platform/text/plain.ts'
import type { Content } from './content.ts'
import type { RenderOptions } from './rendered.ts'
import { legalLinks, senderLines } from './sender.ts'

export function textPart(content: Content, sender: RenderOptions): string {
  const {
    heading,
    paragraphs,
    when,
    facts = [],
    items = [],
    quotation,
    code,
    button,
    link,
    notes = [],
    reason,
  } = content
  const shownFacts = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]))
  const parts = [
    heading,
    ...paragraphs,
    code,
    when && `${when.day}\n${when.time}`,
    shownFacts.map(([name, value]) => `${name}: ${lines(value).join(', ')}`).join('\n'),
    items.map(({ text, url }) => (url === undefined ? `* ${text}` : `* ${text}\n  ${url}`)).join('\n'),
    quotation && [quotation.by, ...lines(quotation.text).map((line) => `> ${line}`.trimEnd())].join('\n'),
    button && `${button.label}:\n${button.url}`,
    link && `${link.label}:\n${link.url}`,
    ...notes,
    `--\n${[reason, ...senderLines(sender.site)].join('\n')}`,
    legalLinks(sender)
      .map(([label, url]) => `${label}: ${url}`)
      .join('\n'),
    sender.unsubscribeUrl !== undefined && `Unsubscribe from messages like this:\n${sender.unsubscribeUrl}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}
