// The shapes of files.
import { type Static, Type } from '@sinclair/typebox'

import { Natural } from '../../../platform/schema/numbers.ts'
import { Instant, Nullable, OneOf, Text, Uri, Uuid } from '../../../platform/schema/types.ts'
import { MAX_FILE_BYTES } from '../../../platform/storage/storage.ts'
import { PURPOSES, type Purpose } from './rules/purposes.ts'
import { REFUSAL_CODES, type Refusal } from './rules/refusals.ts'

/** The parts of a multipart body, in this order. */
export const NewFile = Type.Object(
  {
    purpose: OneOf(PURPOSES, { description: 'What the file is for; comes before the file' }),
    file: Type.String({
      contentMediaType: 'application/octet-stream',
      description:
        'A picture of up to 15 MB and 50 megapixels in JPEG, PNG, WebP or AVIF, or for `verification` a PDF. Its type is read from its content.',
    }),
  },
  { $id: 'NewFile', additionalProperties: false },
)

/** What content may be; its sender's word serves the bucket only. */
const CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'application/pdf'] as const

/** The JSON body that begins an upload into the bucket. */
export const NewUpload = Type.Object(
  {
    purpose: OneOf(PURPOSES, { description: 'What the file is for' }),
    size: Natural({ minimum: 1, maximum: MAX_FILE_BYTES, description: 'The bytes of the content, exactly' }),
    contentType: Type.Optional(
      OneOf(CONTENT_TYPES, {
        description: 'Of the request to `upload.url`; what the file is, is read from its content',
      }),
    ),
  },
  { $id: 'NewUpload', additionalProperties: false },
)
export type NewUpload = Static<typeof NewUpload>

const Size = Type.Object(
  {
    size: OneOf(['small', 'medium', 'large']),
    width: Natural(),
    height: Natural(),
    avif: Uri(),
    webp: Uri(),
  },
  { $id: 'FileSize' },
)

export const File = Type.Object(
  {
    id: Uuid(),
    purpose: OneOf(PURPOSES),
    state: OneOf(['waiting', 'received', 'ready', 'refused'], {
      description:
        'A file is decoded within seconds of its upload. It may be used from `received` on. A `waiting` one has no content yet.',
    }),
    reason: Nullable(OneOf(REFUSAL_CODES), { description: 'Why it was refused' }),
    message: Nullable(Type.String(), { description: 'The same in words' }),
    private: Type.Boolean({ description: 'Whether its addresses end after 15 minutes' }),
    type: Nullable(Type.String(), { description: 'What its content is', examples: ['image/jpeg'] }),
    width: Nullable(Natural()),
    height: Nullable(Natural()),
    placeholder: Nullable(Type.String(), {
      description: 'A tiny picture as a `data:` URL, until the real one is loaded',
    }),
    url: Uri({ description: 'The address for `photos` and pages. A picture is there once the file is `ready`.' }),
    sizes: Type.Array(Size, { description: 'Empty for documents, and until the file is `ready`' }),
    caption: Nullable(Text(200)),
    createdAt: Instant(),
  },
  { $id: 'File' },
)
export type File = Static<typeof File>

export const StartedUpload = Type.Object(
  {
    ...File.properties,
    upload: Type.Object(
      {
        url: Uri({ maxLength: 4096, description: 'Where the content goes; it is a secret' }),
        method: Type.Literal('PUT'),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'To be sent as they are; without them, or with another length, the request is answered 403',
        }),
        expiresAt: Instant({ description: 'Until when the request must begin' }),
      },
      { description: 'The request that stores the content' },
    ),
  },
  { $id: 'StartedUpload' },
)
export type StartedUpload = Static<typeof StartedUpload>

export const FileParams = Type.Object({ id: Uuid() })

/** A file as the database shows it: with its name instead of its addresses. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly purpose: Purpose
  readonly state: File['state']
  readonly reason: Refusal | null
  readonly private: boolean
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
  readonly placeholder: string | null
  readonly sizes: readonly { size: 'small' | 'medium' | 'large'; width: number; height: number }[]
  readonly caption: string | null
  readonly createdAt: string
}
