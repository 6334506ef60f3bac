// Decodes what people sent and writes it anew: in three sizes and two formats, upright, in sRGB, without any metadata.
import sharp, { type OutputInfo } from 'sharp'

import { contentTypeOf } from './content-type.ts'
import { type PdfProblem, problemOfPdf } from './pdf.ts'
import { FORMATS, type Format, SIZES, type Size } from './sizes.ts'

/** As phones of 48 megapixels take them. */
export const MAX_PIXELS = 50_000_000
const PLACEHOLDER_PIXELS = 16
/** On one core for a picture of 12 megapixels: 1.6 s; with the next effort, 4 s for 4% fewer bytes. */
const AVIF = { quality: 50, effort: 2 } as const
const WEBP = { quality: 78 } as const

export interface DecodeRequest {
  readonly bytes: Uint8Array
  /** Whether a document may take the place of a picture. */
  readonly mayBeDocument: boolean
}

export interface Variant {
  readonly size: Size
  readonly format: Format
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

export interface Picture {
  readonly kind: 'picture'
  readonly type: string
  /** Of the picture as it is seen, before it was made smaller. */
  readonly width: number
  readonly height: number
  /** A tiny picture as a `data:` URL. */
  readonly placeholder: string
  readonly variants: readonly Variant[]
}

export type RefusalOfContent = 'unknown_type' | 'heic' | 'svg' | 'too_many_pixels' | PdfProblem

export type Decoded =
  | Picture
  | { readonly kind: 'document'; readonly type: 'application/pdf' }
  | { readonly kind: 'refused'; readonly reason: RefusalOfContent }

/** Lets libvips load the four formats from memory, and nothing else; call it once per process. */
export function allowOnlyKnownFormats(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  // One request at a time, within the limits of one process.
  sharp.concurrency(1)
  sharp.cache(false)
}

/** Never throws because of the content. */
export async function decode({ bytes, mayBeDocument }: DecodeRequest): Promise<Decoded> {
  const type = contentTypeOf(bytes)
  switch (type) {
    case undefined:
      return refused('unknown_type')
    case 'image/heic':
      return refused('heic')
    case 'image/svg+xml':
      return refused('svg')
    case 'application/pdf': {
      if (!mayBeDocument) return refused('unknown_type')
      const problem = problemOfPdf(bytes)
      return problem ? refused(problem) : { kind: 'document', type }
    }
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
    case 'image/avif':
      return await decodePicture(bytes, type)
  }
}

const refused = (reason: RefusalOfContent) => ({ kind: 'refused', reason }) as const

async function decodePicture(bytes: Uint8Array, type: string): Promise<Decoded> {
  // The first frame of one that moves.
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true, pages: 1 })
  try {
    const { width, height, autoOrient } = await input.metadata()
    if (width * height > MAX_PIXELS) return refused('too_many_pixels')
    const large = await input
      .autoOrient()
      .resize({ width: SIZES.large, height: SIZES.large, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { kind: 'picture', type, width: autoOrient.width, height: autoOrient.height, ...(await encode(large)) }
  } catch (error) {
    return refused(error instanceof Error && /pixel limit/.test(error.message) ? 'too_many_pixels' : 'damaged')
  }
}

/** The sizes are made of the large one, which is decoded once. */
async function encode({ data, info }: { data: Buffer; info: OutputInfo }) {
  const { width, height, channels } = info
  const within = (pixels: number) =>
    sharp(data, { raw: { width, height, channels } }).resize({
      width: pixels,
      height: pixels,
      fit: 'inside',
      withoutEnlargement: true,
    })
  const variants: Variant[] = []
  for (const size of Object.keys(SIZES) as Size[])
    for (const format of FORMATS) {
      const sized = within(SIZES[size])
      const encoded = await (format === 'avif' ? sized.avif(AVIF) : sized.webp(WEBP)).toBuffer({
        resolveWithObject: true,
      })
      const { width, height } = encoded.info
      variants.push({ size, format, width, height, bytes: encoded.data })
    }
  const tiny = await within(PLACEHOLDER_PIXELS).webp({ quality: 40 }).toBuffer()
  return { variants, placeholder: `data:image/webp;base64,${tiny.toString('base64')}` }
}
