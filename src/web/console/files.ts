// /console/files: a picture that the script of a page uploads, and what became of it.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import { FileParams } from '../../features/files/files/schemas.ts'
import { getFile, receiveFile } from '../../features/files/files/verbs/files.ts'
import { readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { receiveForm } from '../../http/receive-form.ts'
import { actingProOf } from '../../http/session.ts'
import { OneOf, Uuid } from '../../platform/schema/types.ts'

const session = ['pro'] as const

/** What pages of the console have fields for. */
const PURPOSES = ['pro_logo', 'pro_cover', 'pro_gallery', 'job'] as const
const FileForm = Type.Object({ purpose: OneOf(PURPOSES), file: Type.Optional(Uuid()) })

export const consoleFilePages = (deps: Deps) =>
  new Elysia({ name: 'console-file-pages' })
    .use(guard(deps))
    .post(
      '/console/files',
      async function postConsoleFile({ ctx, authenticated: by, status }) {
        const { request } = by
        const pro = ctx.as(actingProOf(by))
        const isMultipart = /^multipart\/form-data\s*;/i.test(request.headers.get('content-type') ?? '')
        const check = (form: URLSearchParams) => refuseForgery(form, pro.actor.token)
        if (!isMultipart) {
          check(await readForm(ctx, request))
          throw invalidField('form.file', 'is required')
        }
        let purpose: (typeof PURPOSES)[number] | undefined
        const { form, errors } = await receiveForm(ctx, request, {
          most: { file: 1 },
          check: (form) => {
            check(form)
            purpose = PURPOSES.find((known) => known === form.get('purpose'))
          },
          take: async ({ content }) => {
            if (!purpose) throw invalidField('form.purpose', 'must come before the file, and be known')
            return (await receiveFile(pro, { purpose, content })).id
          },
        })
        const [error] = Object.values(errors)
        if (error !== undefined) throw new AppError('validation_failed', error)
        const id = form.get('file')
        if (id === null) throw invalidField('form.file', 'is required')
        return status(202, await getFile(pro, { id }))
      },
      { session, form: FileForm, upload: FileForm },
    )
    .get(
      '/console/files/:id',
      async function getConsoleFile({ ctx, authenticated: by, params: { id } }) {
        return await getFile(ctx.as(actingProOf(by)), { id })
      },
      { session, params: FileParams },
    )
