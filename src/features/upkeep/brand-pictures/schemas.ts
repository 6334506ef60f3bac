// The shape of the logo and the icon of a marketplace.
import { Type } from '@sinclair/typebox'

export const PICTURE_ID = /^[0-9a-f]{32}$/
/** A digest of the picture. */
export const PictureId = Type.String({ pattern: PICTURE_ID.source })

/** A picture that was decoded, in pixels. */
export interface BrandPicture {
  readonly id: string
  readonly width: number
  readonly height: number
}
