// What a marketplace says of itself, everywhere where it has to say who it is.

export interface Marketplace {
  /** The number of the version; 0 before an operator has saved one. */
  readonly version: number
  readonly name: string
  /** One sentence, below the heading of the first page. */
  readonly tagline: string | null
  /** Whom people write to and call. */
  readonly email: string | null
  readonly phone: string | null
  /** The postal address, in lines. */
  readonly address: string | null
}

export const LENGTHS = { name: 60, tagline: 160, phone: 50, address: 500 } as const

/** Until an operator gives it a name of its own. */
export const UNNAMED: Marketplace = Object.freeze({
  version: 0,
  name: 'Hearth',
  tagline: null,
  email: null,
  phone: null,
  address: null,
})
