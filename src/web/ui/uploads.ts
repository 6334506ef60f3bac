// Files that pages of the console send: with their form, or at once by a script.
import { type Static, type TObject, Type } from '@sinclair/typebox'

import { requestContextOf } from '../../auth/request-context.ts'
import type { Ctx } from '../../ctx.ts'
import type { Purpose } from '../../features/files/files/rules/purposes.ts'
import { type Choice, type Chosen, chooseFiles } from '../../features/files/files/verbs/chosen.ts'
import { type Uploader, receiveFile } from '../../features/files/files/verbs/files.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { readFields, readForm, refuseForgery } from '../../http/form.ts'
import { type FormOfFiles, type ReceivedForm, receiveForm } from '../../http/receive-form.ts'
import type { Session } from '../../http/session.ts'
import { trafficOf } from '../../http/traffic.ts'
import { Uuid, isUuid } from '../../platform/schema/types.ts'
import type { FormState } from './form.tsx'
import { submitForm } from './submit.ts'

/** The fields of a form that take files: for what, and how many. */
export type FileFields = Readonly<Record<string, { purpose: Purpose; most: number }>>

/**
 * The form of a page with files. Each file is received by the same verb as those of programs, and its field has the id of the file
 * instead, as if a script had uploaded it. They are decoded first, so that what is wrong with one is said beside its field and it
 * replaces nothing. Nothing is stored before the CSRF token is checked. Throws form_refused, and what {@link receiveForm} throws.
 */
export async function receivePageForm(
  ctx: Ctx<Uploader & Session>,
  request: Request,
  fields: FileFields,
): Promise<ReceivedForm> {
  const received = await receiveFormOf(ctx, request, {
    most: Object.fromEntries(Object.entries(fields).map(([field, { most }]) => [field, most])),
    take: async ({ field, content }) => {
      const purpose = fields[field]?.purpose
      if (!purpose) throw new Error(`The form has no field ${field}.`)
      return (await receiveFile(ctx, { purpose, content })).id
    },
  })
  // A form without files of its own names those that the script of the page has uploaded.
  return isMultipart(request) ? await withoutRefused(ctx, request, fields, received) : received
}

/** The form of a person's page, with files or without. Throws form_refused, and what {@link receiveForm} throws. */
export async function receiveFormOf<Field extends string>(
  ctx: Ctx<Pick<Session, 'token'>>,
  request: Request,
  files: Pick<FormOfFiles<Field>, 'most' | 'take' | 'maxFileBytes' | 'isTooLarge'>,
): Promise<ReceivedForm> {
  const check = (form: URLSearchParams) => refuseForgery(form, ctx.actor.token)
  if (isMultipart(request)) return await receiveForm(ctx, request, { ...files, check })
  const form = await readForm(ctx, request)
  check(form)
  return { form, errors: {} }
}

/** The form without the files that are refused once they are decoded. */
async function withoutRefused(
  ctx: Ctx<Uploader>,
  request: Request,
  fields: FileFields,
  { form, errors }: ReceivedForm,
): Promise<ReceivedForm> {
  const mayWait = Object.keys(errors).length === 0
  const left = new URLSearchParams([...form].filter(([name]) => !(name in fields)))
  const faults = { ...errors }
  for (const [field, { purpose }] of Object.entries(fields)) {
    const ids = form.getAll(field).filter(isUuid)
    const { files, refusal } = await decodedFiles(ctx, request, { ids, purpose, mayWait })
    for (const { id } of files) left.append(field, id)
    if (refusal !== undefined) faults[field] ??= refusal
  }
  return { form: left, errors: faults }
}

/** What became of the files in a form, once they are decoded. The request counts as waiting meanwhile. */
export function decodedFiles(ctx: Ctx<Uploader>, request: Request, chosen: Chosen): Promise<Choice> {
  const goOn = trafficOf(ctx).pause(requestContextOf(request))
  return chooseFiles(ctx, chosen).finally(goOn)
}

/** Whether the form was sent with files, or as one that could have them. */
export const isMultipart = ({ headers }: Request): boolean =>
  /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '')

/** What the script of a page sends: one file, for which its id stands once it is received. */
export const OneFileForm = Type.Object({ file: Type.Optional(Uuid()) })

interface FormOfOneFile {
  check: (form: URLSearchParams) => void
  take: (content: AsyncIterable<Uint8Array>) => Promise<string>
  /** It comes from a person without an account. */
  isVisitor?: boolean
}

/**
 * The id of the one file that the script of a page sends. `check` gets the fields before it, and `take` receives it. Throws
 * validation_failed that says what is wrong with the file, and what {@link receivePageForm} throws.
 */
export async function receiveOneFile(
  ctx: Ctx,
  request: Request,
  { check, take, isVisitor = false }: FormOfOneFile,
): Promise<string> {
  if (!isMultipart(request)) {
    check(await readForm(ctx, request))
    throw invalidField('form.file', 'is required')
  }
  const { form, errors } = await receiveForm(ctx, request, {
    most: { file: 1 },
    check,
    take: ({ content }) => take(content),
    isVisitor,
  })
  const [error] = Object.values(errors)
  if (error !== undefined) throw new AppError('validation_failed', error)
  const read = readFields(OneFileForm, form)
  const id = read.ok ? read.value.file : undefined
  if (id === undefined) throw invalidField('form.file', 'is required')
  return id
}

/** Submits a received form. What is wrong with its files and with its fields is said at once. */
export async function submitReceivedForm<S extends TObject>(
  schema: S,
  { form, errors: ofFiles }: ReceivedForm,
  action: (input: Static<S>) => Promise<Response>,
  render: (state: FormState) => Promise<Response>,
  waysOutOf?: (error: AppError) => FormState['waysOut'],
): Promise<Response> {
  if (Object.keys(ofFiles).length === 0) return await submitForm(schema, form, action, render, waysOutOf)
  const read = readFields(schema, form)
  return await render({ values: form, errors: { ...(read.ok ? {} : read.errors), ...ofFiles } })
}
