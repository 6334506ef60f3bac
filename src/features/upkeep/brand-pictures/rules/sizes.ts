// How large a logo is shown at the top of pages and messages.
import type { BrandPicture } from '../schemas.ts'

/** In CSS pixels: the rest of a phone's width is for links. */
const LOGO_BOX = { width: 180, height: 28 } as const

/** In CSS pixels; never larger than it is. */
export function shownSize({ width, height }: Pick<BrandPicture, 'width' | 'height'>): {
  width: number
  height: number
} {
  const scale = Math.min(1, LOGO_BOX.width / width, LOGO_BOX.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
