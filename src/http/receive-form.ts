// Receives a form of a page with files (RFC 7578): its fields, and each file while it arrives.
import type { BusboyFileStream } from '@fastify/busboy'

import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'
import { refuseUnstorable } from './body.ts'
import type { FieldErrors } from './form.ts'
import { MAX_BODY_BYTES, tooLarge, whileReceiving } from './receive-body.ts'
import { MAX_FILE_BYTES } from '../platform/storage/storage.ts'
import { type Verdict, asError, feed, multipartParser } from './receive-upload.ts'

const MAX_PARTS = 500

/** A file of a form. Its name is what the sender calls it. */
export interface FormFile<Field extends string> {
  readonly field: Field
  readonly fileName: string
  readonly content: AsyncIterable<Uint8Array>
}

export interface FormOfFiles<Field extends string> {
  /** How many files each field takes. */
  readonly most: Readonly<Record<Field, number>>
  /** Throws what is wrong with the fields that came before the first file. No file is taken before. */
  readonly check: (fields: URLSearchParams) => void
  /** How large each file may be; by default as large as a picture or a document. */
  readonly maxFileBytes?: number
  /** What is wrong with a larger one. */
  readonly isTooLarge?: string
  /** Takes a file while it arrives. Returns the value that the field has instead. */
  readonly take: (file: FormFile<Field>) => Promise<string>
  /** It comes from a person without an account. */
  readonly isVisitor?: boolean
}

/** The fields, those of files with the values of `take`, and what is wrong with files, by field. */
export interface ReceivedForm {
  readonly form: URLSearchParams
  readonly errors: FieldErrors
}

/**
 * The form that the request sends. A file that is too large, one too many or refused by `take` is an error of its field, and the
 * rest of the form is received. Throws 400, 408, 413 and what `check` throws.
 */
export async function receiveForm<Field extends string>(
  deps: Deps,
  request: Request,
  declared: FormOfFiles<Field>,
): Promise<ReceivedForm> {
  const { maxFileBytes = MAX_FILE_BYTES } = declared
  const files = Object.values<number>(declared.most).reduce((sum, most) => sum + most, 0)
  return await whileReceiving(deps, request, {
    // With one file too many, so that a person learns which one.
    maxBytes: (files + 1) * maxFileBytes + MAX_BODY_BYTES,
    isVisitor: declared.isVisitor ?? false,
    read: (body) => parse(request.headers.get('content-type') ?? '', body, declared),
  })
}

async function parse<Field extends string>(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  declared: FormOfFiles<Field>,
): Promise<ReceivedForm> {
  const { maxFileBytes: fileBytes = MAX_FILE_BYTES } = declared
  const parser = multipartParser(contentType, { parts: MAX_PARTS, fieldBytes: MAX_BODY_BYTES, fileBytes })
  const parts = new FormParts(declared)
  parser.on('field', (name, value, isNameCut, isValueCut) =>
    parts.attempt(() => parts.addField(name, value, isNameCut || isValueCut)),
  )
  parser.on('file', (name, stream, fileName) => {
    // An error of the body ends the stream, and its reader throws it.
    stream.on('error', () => undefined)
    // A field in which no file was chosen is sent as one without a name.
    if (fileName) parts.attempt(() => parts.addFile(name, { stream, fileName }))
    else stream.resume()
  })
  parser.on('partsLimit', () => parts.fail(invalidField('form', `must have at most ${MAX_PARTS} fields`)))
  parser.on('error', (cause) =>
    parts.fail(new AppError('malformed_body', 'The parts of the body are not complete or not well-formed.', { cause })),
  )
  feed(parser, body, parts.verdict.promise).then(() => parts.verdict.resolve({}), parts.fail)
  return await parts.received()
}

/** The parts of a form as they arrive. */
class FormParts<Field extends string> {
  /** Known once the whole body was read, or something is wrong with it. */
  readonly verdict = Promise.withResolvers<Verdict>()
  readonly #declared: FormOfFiles<Field>
  readonly #form = new URLSearchParams()
  readonly #errors: Record<string, string> = {}
  readonly #counts = new Map<string, number>()
  readonly #taken: Promise<[Field, string] | undefined>[] = []
  #failure: Error | undefined
  #file: BusboyFileStream | undefined
  #textBytes = 0
  #isChecked = false

  constructor(declared: FormOfFiles<Field>) {
    this.#declared = declared
  }

  readonly fail = (thrown: unknown): void => {
    this.#failure ??= asError(thrown)
    this.verdict.resolve({ error: this.#failure })
    this.#file?.destroy(this.#failure)
  }

  attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.fail(error)
    }
  }

  addField(name: string, value: string, isCut: boolean): void {
    this.#textBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
    if (isCut || this.#textBytes > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES)
    refuseUnstorable([name, value], 'form')
    this.#form.append(name, value)
  }

  addFile(name: string, { stream, fileName }: { stream: BusboyFileStream; fileName: string }): void {
    const { most } = this.#declared
    this.#file = stream
    this.#check()
    if (!isField(most, name)) throw invalidField(`form.${name}`, 'is not a known field')
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    if (count <= most[name]) this.#taken.push(this.#take(name, { stream, fileName }))
    else {
      this.#errors[name] = most[name] === 1 ? 'choose one file' : `choose at most ${most[name]} files at once`
      stream.resume()
    }
  }

  /** The form, once its last file is taken. Throws what is wrong with the body. */
  async received(): Promise<ReceivedForm> {
    await this.verdict.promise
    // In the order in which they were sent, however long each took.
    for (const taken of await Promise.all(this.#taken)) if (taken) this.#form.append(...taken)
    if (this.#failure) throw this.#failure
    this.#check()
    return { form: this.#form, errors: this.#errors }
  }

  #check(): void {
    if (!this.#isChecked) this.#declared.check(this.#form)
    this.#isChecked = true
  }

  async #take(
    field: Field,
    { stream, fileName }: { stream: BusboyFileStream; fileName: string },
  ): Promise<[Field, string] | undefined> {
    const { take, maxFileBytes = MAX_FILE_BYTES, isTooLarge = TOO_LARGE } = this.#declared
    try {
      return [field, await take({ field, fileName, content: contentOf(stream, maxFileBytes) })]
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) this.fail(error)
      else this.#errors[field] ??= error.code === 'body_too_large' ? isTooLarge : detailOf(error)
      return undefined
    } finally {
      // What is left of a refused file is not kept; the rest of the form follows it.
      stream.resume()
    }
  }
}

const TOO_LARGE = `is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB, choose a smaller one`

/** What is wrong with the file, without the name of its field. */
const detailOf = ({ detail, errors }: AppError) => errors?.[0]?.message ?? detail

const isField = <Field extends string>(most: Readonly<Record<Field, number>>, name: string): name is Field =>
  Object.hasOwn(most, name)

/** The stream is not destroyed by a reader that stops early: the parser would wait for it. */
async function* contentOf(stream: BusboyFileStream, maxBytes: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array
  if (stream.truncated) throw tooLarge(maxBytes)
}
