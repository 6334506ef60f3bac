// Who sends a message, at its end: laws of many countries ask for the postal address (CAN-SPAM, CASL).
import { oneLine } from '../../../../platform/text/plain.ts'
import { inForce } from '../../../upkeep/legal-texts/schemas.ts'
import type { RenderOptions, Site } from './rendered.ts'

/** "Maple & Beam, 12 King Street, Toronto", and how to reach them. Empty before an operator has said so. */
export const senderLines = ({ name, address, email, phone }: Site): string[] => [
  ...(address === null ? [] : [`${name}, ${oneLine(address.replaceAll('\n', ', '))}`]),
  ...[[email, phone].filter((part) => part !== null).join(' · ')].filter(Boolean),
]

/** The pages that say what holds between sender and recipient. */
export const legalLinks = ({
  site: { legal },
  baseUrl,
}: Pick<RenderOptions, 'site' | 'baseUrl'>): (readonly [label: string, url: string])[] => [
  ['Terms', `${baseUrl}/terms`],
  ['Privacy', `${baseUrl}/privacy`],
  ...(inForce(legal, 'imprint') ? [['Imprint', `${baseUrl}/imprint`] as const] : []),
]
