// Whether a PDF is passive: Hearth keeps a document as it was sent, so it refuses one that could do something when it is opened.
import { inflateSync } from 'node:zlib'

export type PdfProblem = 'damaged' | 'encrypted_document' | 'active_document'

/**
 * What does something besides showing pages (ISO 32000-2, 12.6, 12.7 and 7.11.4). Whatever starts an action, such as `OpenAction`,
 * names its kind; opening the document at a page is harmless. All names are long: compressed data hardly contains one by chance.
 */
const ACTIVE = new Set([
  'JavaScript',
  'OnInstantiate',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'RichMedia',
  'XFA',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'Rendition',
  'Sound',
  'Movie',
])
/** Objects in streams that are larger than this when they are inflated are a bomb. */
const MAX_INFLATED = 32 * 1024 * 1024
/** Readers look for the end of the file this far from it. */
const END_BYTES = 1024

/** What is wrong with the document; undefined for one that only shows pages. */
export function problemOfPdf(bytes: Uint8Array): PdfProblem | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  if (!/startxref\s+\d+\s+%%EOF/.test(text.slice(-END_BYTES))) return 'damaged'
  let problem = problemOfObjects(text)
  let left = MAX_INFLATED
  // Objects may stand in compressed streams (7.5.7). Their content is read, whatever the stream says that it is.
  for (const { index } of text.matchAll(/stream\r?\n/g)) {
    if (problem) return problem
    if (text.slice(index - 3, index) === 'end') continue
    const dictionary = namesIn(text.slice(Math.max(0, text.lastIndexOf('obj', index)), index))
    if (!dictionary.has('ObjStm')) continue
    // Another filter could hide what the objects are.
    if (!dictionary.has('FlateDecode') || dictionary.has('DecodeParms')) return 'active_document'
    const inflated = inflate(bytes.subarray(text.indexOf('\n', index) + 1), left)
    if (!inflated) return 'damaged'
    left -= inflated.byteLength
    problem = problemOfObjects(inflated.toString('latin1'))
  }
  return problem
}

function problemOfObjects(text: string): PdfProblem | undefined {
  const names = namesIn(text)
  if (names.has('Encrypt')) return 'encrypted_document'
  return names.isDisjointFrom(ACTIVE) ? undefined : 'active_document'
}

/** The names in a part of a document; any character of one may be written as `#41` (7.3.5). */
const namesIn = (text: string): Set<string> =>
  new Set(
    Array.from(text.matchAll(/\/([^\s/()<>[\]{}%]+)/g), ([, name = '']) =>
      name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  )

/** Undefined for data that cannot be inflated, or is larger than `most` then. */
function inflate(bytes: Uint8Array, most: number): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) })
  } catch {
    return undefined
  }
}
