// A marketplace with a name of its own, in whose pages, messages and files the name of the software must not stand.
import { ctxOf } from '../../src/ctx.ts'
import { updateMarketplace } from '../../src/features/upkeep/marketplace/verbs.ts'
import { USUAL } from '../../src/features/upkeep/marketplace/schemas.ts'
import type { TestApp } from './app.ts'

export const SITE = {
  ...USUAL,
  version: 1,
  isOpen: true,
  name: 'Maple & Beam',
  tagline: 'Trades of the city, by the hour.',
  email: 'hello@maple-and-beam.example',
  phone: '(416) 555-0100',
  address: '1 Example Street\nToronto',
  accent: '#1b5a9e',
  country: 'US',
  logo: null,
  icon: null,
} as const

/** As pages and messages show it, without texts of its own. */
export const SHOWN_SITE = { ...SITE, legal: {} } as const

/** Gives the marketplace of the app its name. */
export const nameSite = ({ deps }: TestApp): Promise<void> =>
  updateMarketplace(ctxOf(deps), { ...SITE, version: SITE.version - 1, by: null })
