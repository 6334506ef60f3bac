// The addresses of files and the keys of their content, both made from the name. Nothing of what a sender calls a file is in them.
import { FORMATS, SIZES, type Format, type Size } from '../../../../platform/pictures/sizes.ts'

export const FILES_PATH = '/files'

/** A part of an address: one size of a picture, or a document. */
export interface Address {
  readonly name: string
  readonly type: string
  /** `abc-large.webp`, which is also the key's name. */
  readonly file: string
}

/** The parts of `file`; undefined when Hearth makes no such address. */
export function parseAddress(file: string): Address | undefined {
  const [, name, size, ending = ''] = /^([\w-]{32})(?:-(\w+))?\.(\w+)$/.exec(file) ?? []
  if (name === undefined) return undefined
  if (size === undefined) return ending === 'pdf' ? { name, file, type: 'application/pdf' } : undefined
  const isPicture = Object.hasOwn(SIZES, size) && FORMATS.some((format) => format === ending)
  return isPicture ? { name, file, type: `image/${ending}` } : undefined
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
