// Photos that customers send with a request or a review: without an account, or signed in.
import { type Static, type TObject, Type } from '@sinclair/typebox'

import type { Ctx } from '../../ctx.ts'
import { AppError } from '../../errors/app-error.ts'
import type { File } from '../../features/files/files/schemas.ts'
import { refusalOf } from '../../features/files/files/verbs/chosen.ts'
import { type Uploader, fileNotFound, getFile, receiveFile } from '../../features/files/files/verbs/files.ts'
import { storedPhoto } from '../../features/files/files/verbs/photos.ts'
import {
  type FieldErrors,
  type FormReading,
  type FormSchema,
  readFields,
  readForm,
  refuseForgery,
} from '../../http/form.ts'
import { type ReceivedForm, receiveForm } from '../../http/receive-form.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { Uuid, isUuid } from '../../platform/schema/types.ts'
import { plural } from '../../platform/text/format.ts'
import type { FormState } from '../ui/form.tsx'
import { decodedFiles, isMultipart, receiveOneFile, submitReceivedForm } from '../ui/uploads.ts'

export const MAX_PHOTOS = 10

/** The name of the field in each form: it has the ids of files that were received. */
const FIELD = 'photos'
export const PhotoIds = () => Type.Optional(Type.Array(Uuid(), { maxItems: MAX_PHOTOS }))

/** Who sends photos. */
export interface Sender extends Uploader {
  /** Of the session of a signed-in customer. Its forms carry the CSRF token; of others the guard refuses those of other sites. */
  readonly token?: string
}

type PhotoPurpose = 'request' | 'review'

interface ExpectedForm {
  readonly purpose: PhotoPurpose
  /** The schema of the form. It may depend on what was chosen in it. */
  readonly schemaOf: (form: URLSearchParams) => FormSchema
  /** The form with what follows from it. */
  readonly complete?: (form: URLSearchParams) => URLSearchParams
}

/** A form, and its photos as a record takes them. */
export interface FormWithPhotos extends ReceivedForm {
  readonly photos: string[]
  /** The ids of those that a record uses: the form may have been sent before. */
  readonly used: ReadonlySet<string>
}

/**
 * The form of a page for customers, whose last field takes photos. Nothing is stored before the fields above it are right. Photos
 * are received as programs' are, and decoded before the form is submitted, so that what is wrong with one is said beside
 * the field; the form then has the ids of the others. Throws form_refused, and what {@link receiveForm} throws.
 */
export async function receiveVisitorForm(
  ctx: Ctx<Sender>,
  request: Request,
  { purpose, schemaOf, complete = (form) => form }: ExpectedForm,
): Promise<FormWithPhotos> {
  const received = await receiveFields(ctx, request, {
    purpose,
    readOf: (form) => readFields(schemaOf(form), complete(form)),
  })
  const [form, { errors }] = [complete(received.form), received]
  const mayWait = Object.keys(errors).length === 0 && readFields(schemaOf(form), form).ok
  const ids = idsIn(form)
  const { files, used, refusal } = await decodedFiles(ctx, request, { ids, purpose, mayWait })
  const others = [...form].filter(([name]) => name !== FIELD)
  const kept = files.map(({ id }): [string, string] => [FIELD, id])
  return {
    form: new URLSearchParams([...others, ...kept]),
    errors: refusal === undefined ? errors : withFault(errors, refusal),
    photos: files.map(({ url }) => storedPhoto(ctx, { url })),
    used,
  }
}

/** Submits the form. When it is shown again, it is without photos that something else uses. */
export const submitFormWithPhotos = <S extends TObject>(
  schema: S,
  { used, ...received }: FormWithPhotos,
  action: (input: Static<S>) => Promise<Response>,
  render: (state: FormState) => Promise<Response>,
  waysOutOf?: (error: AppError) => FormState['waysOut'],
): Promise<Response> => {
  const withoutUsed = async (state: FormState) => {
    if (used.size === 0) return await render(state)
    const values = new URLSearchParams([...state.values].filter(([name, id]) => name !== FIELD || !used.has(id)))
    return await render({ ...state, values, errors: { ...state.errors, [FIELD]: refusalOf([], used.size) ?? '' } })
  }
  return submitReceivedForm(schema, received, action, withoutUsed, waysOutOf)
}

async function receiveFields(
  ctx: Ctx<Sender>,
  request: Request,
  { purpose, readOf }: Pick<ExpectedForm, 'purpose'> & { readOf: (form: URLSearchParams) => FormReading<object> },
): Promise<ReceivedForm> {
  const { token, isVisitor = false } = ctx.actor
  if (!isMultipart(request)) {
    const form = await readForm(ctx, request)
    if (token !== undefined) refuseForgery(form, token)
    return { form, errors: {} }
  }
  let read: FormReading<object> = { ok: false, errors: {} }
  let count = 0
  return await receiveForm(ctx, request, {
    most: { [FIELD]: MAX_PHOTOS },
    isVisitor,
    check: (form) => {
      if (token !== undefined) refuseForgery(form, token)
      read = readOf(form)
      count = idsIn(form).length
    },
    take: async ({ content }) => {
      if (!read.ok) throw refused('Choose your photos again: they are sent once all else is right.')
      if (++count > MAX_PHOTOS) throw refused(`Choose at most ${MAX_PHOTOS} photos.`)
      await admit(ctx, request)
      // A form without a key is not sent twice: what it makes is there once.
      const { idempotencyKey: key } = read.value as { idempotencyKey?: string }
      const once = key === undefined ? ctx : ctx.as(ctx.actor, { key })
      return (await receiveFile(once, { purpose, content, isOfForm: true })).id
    },
  })
}

const idsIn = (fields: URLSearchParams): string[] => fields.getAll(FIELD).filter(isUuid)

const withFault = (errors: FieldErrors, fault: string): FieldErrors => ({
  ...errors,
  [FIELD]: [errors[FIELD]?.replace(/\.$/, ''), fault].filter(Boolean).join('. '),
})

/** What the script of a form shows of a photo. Its address is for those who may see the record. */
export type PhotoState = Pick<File, 'id' | 'state' | 'message'>

/** Receives the photo that the script of a form sends. Throws validation_failed that says what is wrong with it, and form_refused. */
export async function receiveVisitorPhoto(
  ctx: Ctx<Sender>,
  request: Request,
  { purpose }: { purpose: PhotoPurpose },
): Promise<PhotoState> {
  const { token, isVisitor = false } = ctx.actor
  const id = await receiveOneFile(ctx, request, {
    isVisitor,
    check: (form) => {
      if (token !== undefined) refuseForgery(form, token)
    },
    take: async (content) => {
      await admit(ctx, request)
      return (await receiveFile(ctx, { purpose, content })).id
    },
  })
  return await getPhotoState(ctx, { id, purpose })
}

/** What became of a photo. Throws file_not_found, also for a file for something else. */
export async function getPhotoState(
  ctx: Ctx<Sender>,
  { id, purpose }: { id: string; purpose: PhotoPurpose },
): Promise<PhotoState> {
  const { state, message, ...file } = await getFile(ctx, { id })
  if (file.purpose !== purpose) throw fileNotFound()
  return { id, state, message }
}

/** Counts a visitor's photo against the limit of the network. Throws validation_failed, in words for the page. */
async function admit(ctx: Ctx<Sender>, request: Request): Promise<void> {
  if (ctx.actor.isVisitor !== true) return
  try {
    await requestLimitsOf(ctx).admitVisitorFile(request)
  } catch (error) {
    if (!(error instanceof AppError) || error.retryAfterSeconds === undefined) throw error
    const wait = plural(Math.ceil(error.retryAfterSeconds / 60), 'minute')
    throw refused(`Your network has sent too many photos. Add more in ${wait}, or go on without them.`, error)
  }
}

const refused = (detail: string, cause?: unknown) => new AppError('validation_failed', detail, { cause })
