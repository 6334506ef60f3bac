// Decodes a logo or an icon and writes it anew as PNG, which mail programs and phones show: upright, in sRGB, without any metadata.
import sharp, { type OutputInfo, type Sharp } from 'sharp'

import { type BrandKind, ICON_SIDES, LOGO_SIZE, NEARLY_SQUARE, SMALLEST } from './brand.ts'
import { contentTypeOf } from './content-type.ts'
import { MAX_PIXELS, type RefusalOfContent } from './decode.ts'

export interface BrandRequest {
  readonly bytes: Uint8Array
  readonly kind: BrandKind
}

export interface BrandFiles {
  readonly kind: 'picture'
  readonly width: number
  readonly height: number
  readonly whole: Uint8Array
  /** Of an icon. */
  readonly screen: Uint8Array | null
  /** Of an icon. */
  readonly tab: Uint8Array | null
}

export type BrandRefusal = RefusalOfContent | 'moves' | 'too_small' | 'not_square'

export type DecodedBrand = BrandFiles | { readonly kind: 'refused'; readonly reason: BrandRefusal }

/** Never throws because of the content. What it wrote once, it writes again byte for byte. */
export async function decodeBrand({ bytes, kind }: BrandRequest): Promise<DecodedBrand> {
  switch (contentTypeOf(bytes)) {
    case undefined:
    case 'application/pdf':
      return refused('unknown_type')
    case 'image/heic':
      return refused('heic')
    case 'image/svg+xml':
      return refused('svg')
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
    case 'image/avif':
      return await decodePicture(bytes, kind)
  }
}

const refused = (reason: BrandRefusal) => ({ kind: 'refused', reason }) as const

async function decodePicture(bytes: Uint8Array, kind: BrandKind): Promise<DecodedBrand> {
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS })
  try {
    const { autoOrient, pages = 1 } = await input.metadata()
    const { width, height } = autoOrient
    if (width * height > MAX_PIXELS) return refused('too_many_pixels')
    if (pages > 1) return refused('moves')
    if (kind === 'icon' && Math.max(width, height) > Math.min(width, height) * NEARLY_SQUARE)
      return refused('not_square')
    if (Math.min(width, height) < SMALLEST[kind]) return refused('too_small')
    const side = Math.min(ICON_SIDES.whole, Math.max(width, height))
    const sized = input
      .autoOrient()
      .resize(
        kind === 'logo'
          ? { ...LOGO_SIZE, fit: 'inside', withoutEnlargement: true }
          : { width: side, height: side, fit: 'contain', background: CLEAR },
      )
    const whole = await sized
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { kind: 'picture', ...(await encode(whole, kind)) }
  } catch (error) {
    return refused(error instanceof Error && /pixel limit/.test(error.message) ? 'too_many_pixels' : 'damaged')
  }
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 } as const

async function encode({ data, info }: { data: Buffer; info: OutputInfo }, kind: BrandKind) {
  const { width, height, channels } = info
  const pixels = () => sharp(data, { raw: { width, height, channels } })
  const png = async (picture: Sharp) => new Uint8Array(await picture.png({ compressionLevel: 9 }).toBuffer())
  const square = (side: number) => pixels().resize({ width: side, height: side })
  return {
    width,
    height,
    whole: await png(pixels()),
    // Phones show what is transparent as black.
    screen: kind === 'icon' ? await png(square(ICON_SIDES.screen).flatten({ background: 'white' })) : null,
    tab: kind === 'icon' ? await png(square(ICON_SIDES.tab)) : null,
  }
}
