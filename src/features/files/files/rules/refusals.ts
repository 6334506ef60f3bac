// Why a file is refused, in words for its sender.
import type { IsolatedDecoding } from '../../../../platform/pictures/isolated-decoder.ts'

export type Refusal = Extract<IsolatedDecoding, { kind: 'refused' }>['reason']

export const REFUSALS: Readonly<Record<Refusal, string>> = {
  unknown_type: 'Send a picture in JPEG, PNG, WebP or AVIF.',
  heic: 'Pictures in HEIC cannot be read. Send it as JPEG: phones do so when “Most Compatible” is on.',
  svg: 'Drawings in SVG are not taken. Send a picture in JPEG, PNG, WebP or AVIF.',
  too_many_pixels: 'A picture may have up to 50 megapixels. Send a smaller one.',
  damaged: 'The file is damaged or incomplete. Send it again.',
  encrypted_document: 'The document is encrypted. Send it without a password.',
  active_document: 'The document holds scripts, attachments or forms. Print it to a PDF and send that.',
  too_slow: 'The picture takes too long to read. Send a simpler or smaller one.',
  too_much_memory: 'The picture takes too much memory to read. Send a smaller one.',
  crashed: 'The file could not be read. Send another one.',
}

export const REFUSAL_CODES = Object.keys(REFUSALS) as Refusal[]
