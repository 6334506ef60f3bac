// /console/pros/import: operators upload files of pros, see what each would do, and import it.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { MAX_IMPORT_BYTES, type UploadOptions } from '../../../features/business/uploaded-imports/schemas.ts'
import {
  checkUpload,
  findWaitingUpload,
  getImport,
  getRefusedLines,
  listImports,
  receiveUpload,
  startImport,
} from '../../../features/business/uploaded-imports/verbs/uploads.ts'
import { guard } from '../../../http/guard.ts'
import type { ReceivedForm } from '../../../http/receive-form.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid, isUuid } from '../../../platform/schema/types.ts'
import { downloadFile } from '../../ui/download.ts'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { redirect, renderConsolePage } from '../../ui/responses.tsx'
import { runAction } from '../../ui/submit.ts'
import { receiveFormOf, submitReceivedForm } from '../../ui/uploads.ts'
import { IMPORT_PATH } from '../verification/view.tsx'
import { ImportForm, TOO_LARGE, importView, importsView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })

export const importPages = (deps: Deps) =>
  new Elysia({ name: 'import-pages' })
    .use(guard(deps))
    .get(
      IMPORT_PATH,
      async function getImportPage({ ctx, authenticated: by }) {
        return await renderImports(ctx, by)
      },
      { session },
    )
    .post(
      IMPORT_PATH,
      async function postImport({ ctx, authenticated: by }) {
        return await submitReceivedForm(
          ImportForm,
          await receiveImportForm(ctx, by),
          (input) => check(ctx, by, input),
          (formState) => renderImports(ctx, by, formState),
        )
      },
      { session, form: ImportForm, upload: ImportForm },
    )
    .get(
      `${IMPORT_PATH}/:id`,
      async function getImportOfFile({ ctx, authenticated: by, params: { id } }) {
        const found = await getImport(ctx, { id })
        return renderConsolePage(ctx, by, {
          title: 'Import of a file',
          content: importView(by.session, found),
          scripts: ['htmx.js'],
          styles: ['operator.css'],
        })
      },
      { session, params },
    )
    .post(
      `${IMPORT_PATH}/:id`,
      async function postStart({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${IMPORT_PATH}/${id}`, async () => {
          await startImport(ctx, { id, by: by.session.userId })
          return 'The import has begun. You may leave this page: the work goes on.'
        })
      },
      { session, params },
    )
    .get(
      `${IMPORT_PATH}/:id/refused`,
      async function getRefused({ ctx, params: { id } }) {
        const { format, content } = await getRefusedLines(ctx, { id })
        return format === 'jsonl'
          ? downloadFile(content, { name: 'refused.jsonl', type: 'application/jsonl' })
          : downloadFile(content, { name: 'refused.csv', type: 'text/csv; charset=utf-8' })
      },
      { session, params },
    )

/** The form with the id of its file. Of a file that is far too large, nothing is read, not even the rest of the form. */
async function receiveImportForm(ctx: Ctx, { request, session }: AuthenticatedRequest): Promise<ReceivedForm> {
  try {
    const { form, errors } = await receiveFormOf(ctx.as(session), request, {
      most: { file: 1 },
      maxFileBytes: MAX_IMPORT_BYTES,
      isTooLarge: TOO_LARGE,
      take: ({ fileName, content }) => receiveUpload(ctx, { by: session.userId, fileName, content }),
    })
    // A new file replaces the one that the form sent before.
    const id = form.getAll('file').at(-1)
    if (id !== undefined) form.set('file', id)
    return { form, errors }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'body_too_large')) throw error
    return { form: new URLSearchParams(), errors: { file: TOO_LARGE } }
  }
}

async function check(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { file: id, ...input }: Static<typeof ImportForm>,
): Promise<Response> {
  if (id === undefined) throw invalidField('file', 'choose a file')
  const { pausesMissing, paused, invitePerMinute: invitesPerMinute = null } = input
  const options: UploadOptions = { pausesMissing, status: paused ? 'paused' : 'active', invitesPerMinute }
  await checkUpload(ctx, { id, by: by.session.userId, options })
  return redirect(`${IMPORT_PATH}/${id}`)
}

async function renderImports(ctx: Ctx, by: AuthenticatedRequest, formState: FormState = EMPTY_FORM): Promise<Response> {
  const { session } = by
  const id = formState.values.get('file') ?? ''
  const found = isUuid(id) ? await findWaitingUpload(ctx, { id, by: session.userId }) : undefined
  const waiting = found && { id, name: found.name }
  const content = importsView({ session, formState, waiting, imports: await listImports(ctx) })
  return renderConsolePage(
    ctx,
    by,
    { title: 'Import of pros', content, styles: ['operator.css'] },
    formStatus(formState),
  )
}
