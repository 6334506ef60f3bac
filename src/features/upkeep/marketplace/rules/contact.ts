// What a marketplace says of itself before it opens: a name of its own, and how people reach it.
import { type MarketplaceTexts, UNNAMED } from '../schemas.ts'

/** What is missing, in words for operators; empty when nothing is. */
export const missingContact = ({
  name,
  email,
  phone,
  address,
}: Pick<MarketplaceTexts, 'name' | 'email' | 'phone' | 'address'>): string[] => [
  ...(name === UNNAMED.name ? ['a name of its own'] : []),
  ...(email === null && phone === null ? ['an e-mail address or phone number'] : []),
  ...(address === null ? ['a postal address'] : []),
]
