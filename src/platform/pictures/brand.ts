// The sizes of the logo and the icon of a marketplace, for those who do not decode: servers never load libvips.

export const BRAND_KINDS = ['logo', 'icon'] as const
export type BrandKind = (typeof BRAND_KINDS)[number]

/** What a logo fits into, in pixels: several times what pages show. */
export const LOGO_SIZE = { width: 640, height: 128 } as const
/** The sides of an icon: whole, on a phone's screen, in a tab. */
export const ICON_SIDES = { whole: 512, screen: 180, tab: 64 } as const
/** Smaller ones look blurred. */
export const SMALLEST = { logo: 32, icon: ICON_SIDES.screen } as const
/** How much longer one side of an icon may be than the other. */
export const NEARLY_SQUARE = 1.1
