// What a share picture says, for those who do not draw: servers never load libvips.

/** The size that sites ask for which show a picture beside a link (https://ogp.me). */
export const SHARE_SIZE = { width: 1200, height: 630 } as const
/** The largest share picture: messengers show no larger ones, or only later. */
export const MAX_SHARE_BYTES = 100_000

/** Whose page it is, beside the mark at the bottom. */
export interface CardSite {
  readonly name: string
  /** Such as `#1b5a9e`; null for the software's own. */
  readonly accent: string | null
  /** What the mark shows; null for the software's own mark. */
  readonly letter: string | null
  /** A PNG, in place of the mark. */
  readonly icon: Uint8Array | null
}

export interface ShareCard {
  readonly site: CardSite
  /** Takes the most room, in up to three lines. */
  readonly heading: string
  /** The price, in the colour of actions. */
  readonly price: string | null
  /** Behind a star. */
  readonly rating: string | null
  /** Each in one line. */
  readonly lines: readonly string[]
  /** Fills the right side. */
  readonly photo: Uint8Array | null
}
