// The shapes of a pro's pictures.
import { type Static, Type } from '@sinclair/typebox'

import { Nullable, Text, Uri, Uuid } from '../../../platform/schema/types.ts'
import { File } from '../files/schemas.ts'

export const MAX_GALLERY = 30

const fileId = () => Uuid({ description: 'A file that was uploaded for this purpose and is not refused' })

export const NewPictures = Type.Object(
  {
    logo: Nullable(fileId()),
    cover: Nullable(fileId()),
    gallery: Type.Array(
      Type.Object({ fileId: fileId(), caption: Type.Optional(Nullable(Text(200))) }, { additionalProperties: false }),
      { maxItems: MAX_GALLERY },
    ),
  },
  { $id: 'NewPictures', additionalProperties: false },
)
export type NewPictures = Static<typeof NewPictures>

export const Pictures = Type.Object(
  { logo: Nullable(File), cover: Nullable(File), gallery: Type.Array(File) },
  { $id: 'Pictures' },
)
export type Pictures = Static<typeof Pictures>

const { width, height, placeholder, sizes, caption } = File.properties

/** What everybody sees of a picture. */
export const PublicPicture = Type.Object(
  { url: Uri(), width, height, placeholder, sizes, caption },
  { $id: 'PublicPicture' },
)
export const PublicPictures = Type.Object(
  { logo: Nullable(PublicPicture), cover: Nullable(PublicPicture), gallery: Type.Array(PublicPicture) },
  { $id: 'PublicPictures' },
)
export type PublicPicture = Static<typeof PublicPicture>
export type PublicPictures = Static<typeof PublicPictures>
