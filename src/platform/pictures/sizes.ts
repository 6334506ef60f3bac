// The sizes and formats of pictures, for those who do not decode: servers never load libvips.

/** The longest side of each size, in pixels. Smaller pictures are not enlarged. */
export const SIZES = { small: 320, medium: 960, large: 1920 } as const
export type Size = keyof typeof SIZES
export const FORMATS = ['avif', 'webp'] as const
export type Format = (typeof FORMATS)[number]
