// The addresses of logos and icons. They say which picture they show, so that browsers may keep it for ever.

export const BRAND_PATH = '/assets/brand'

/** As the columns of the table are named. A logo has the whole one only. */
export const BRAND_SIZES = ['whole', 'screen', 'tab'] as const
export type BrandSize = (typeof BRAND_SIZES)[number]

interface Address {
  readonly id: string
  readonly size: BrandSize
}

export const brandPath = ({ id, size = 'whole' }: { id: string; size?: BrandSize }): string =>
  `${BRAND_PATH}/${id}${size === 'whole' ? '' : `-${size}`}.png`

/** Undefined when Hearth makes no such address. */
export function parseBrandFile(file: string): Address | undefined {
  const [, id, ending = 'whole'] = /^([0-9a-f]{32})(?:-([a-z]+))?\.png$/.exec(file) ?? []
  const size = BRAND_SIZES.find((known) => known === ending)
  return id === undefined || size === undefined || file !== brandPath({ id, size }).slice(BRAND_PATH.length + 1)
    ? undefined
    : { id, size }
}
