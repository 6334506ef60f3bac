// What a file is, by its content: never by its name or by what its sender says.

/** A kind of content that Hearth knows, also those that it refuses by name. */
export type ContentType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/webp'
  | 'image/avif'
  | 'image/heic'
  | 'image/svg+xml'
  | 'application/pdf'

const startsWith = (bytes: Uint8Array, signature: readonly number[] | string, at = 0): boolean => {
  const expected = typeof signature === 'string' ? Buffer.from(signature, 'latin1') : signature
  return expected.every((byte, index) => bytes[at + index] === byte)
}

/** The brands of a file of ISO/IEC 14496-12, which begins with the box `ftyp`. */
function brandsOf(bytes: Uint8Array): readonly string[] {
  if (bytes.byteLength < 16 || !startsWith(bytes, 'ftyp', 4)) return []
  const length = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.byteLength, 256)
  const text = Buffer.from(bytes.subarray(8, length)).toString('latin1')
  return (text.match(/.{4}/gs) ?? []).filter((_, index) => index !== 1)
}

const AVIF = new Set(['avif', 'avis'])
const HEIC = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Undefined for anything else. The signatures are those of the WHATWG's MIME Sniffing Standard. */
export function contentTypeOf(bytes: Uint8Array): ContentType | undefined {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBPVP', 8)) return 'image/webp'
  if (startsWith(bytes, '%PDF-')) return 'application/pdf'
  const brands = brandsOf(bytes)
  if (brands.some((brand) => AVIF.has(brand))) return 'image/avif'
  if (brands.some((brand) => HEIC.has(brand))) return 'image/heic'
  return /^(?:\uFEFF|\s)*<(?:\?xml|!--|!DOCTYPE\s+svg|svg)\b/i.test(new TextDecoder().decode(bytes.subarray(0, 1024)))
    ? 'image/svg+xml'
    : undefined
}
