// The shape of the logo and the icon of a marketplace.
import { Type } from '@sinclair/typebox'

/** A digest of the picture. */
export const PictureId = Type.String({ pattern: '^[0-9a-f]{32}$' })

/** A picture that was decoded, in pixels. */
export interface BrandPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}
