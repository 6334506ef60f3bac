// The addresses of files and the keys of their content, both made from the name. Nothing of what a sender calls a file is in them.
import { FORMATS, SIZES, type Format, type Size } from '../../../../platform/pictures/sizes.ts'

export const FILES_PATH = '/files'

const NAME = '[A-Za-z0-9_-]{32}'
const PICTURE = new RegExp(`^(${NAME})-(${Object.keys(SIZES).join('|')})\\.(${FORMATS.join('|')})$`)
const DOCUMENT = new RegExp(`^(${NAME})\\.pdf$`)

/** A part of an address: one size of a picture, or a document. */
export interface Address {
  readonly name: string
  readonly type: string
  /** `abc-large.webp`, which is also the key's name. */
  readonly file: string
}

/** Undefined for the address of nothing that Hearth makes. */
export function parseAddress(file: string): Address | undefined {
  const [, name, , format] = PICTURE.exec(file) ?? []
  if (name !== undefined) return { name, file, type: `image/${format}` }
  const [, ofDocument] = DOCUMENT.exec(file) ?? []
  return ofDocument === undefined ? undefined : { name: ofDocument, file, type: 'application/pdf' }
}

export const pictureFile = (name: string, size: Size, format: Format): string => `${name}-${size}.${format}`
export const documentFile = (name: string): string => `${name}.pdf`

/** Where the content of a file is until it is decoded. */
export const receivedKey = (name: string): string => `received/${name}`
/** Where what Hearth made of it is. */
export const readyKey = (file: string): string => `ready/${file}`

/** The keys of all that a file may have in the storage. */
export const allKeys = (name: string): string[] => [
  receivedKey(name),
  ...(Object.keys(SIZES) as Size[]).flatMap((size) =>
    FORMATS.map((format) => readyKey(pictureFile(name, size, format))),
  ),
  readyKey(documentFile(name)),
]
