// /console/files: a picture that the script of a page uploads, and what became of it.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors/app-error.ts'
import { FileParams } from '../../features/files/files/schemas.ts'
import { getFile, receiveFile } from '../../features/files/files/verbs/files.ts'
import { refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { actingProOf } from '../../http/session.ts'
import { OneOf, Uuid } from '../../platform/schema/types.ts'
import { receiveOneFile } from '../ui/uploads.ts'

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
        let purpose: (typeof PURPOSES)[number] | undefined
        const id = await receiveOneFile(ctx, request, {
          check: (form) => {
            refuseForgery(form, pro.actor.token)
            purpose = PURPOSES.find((known) => known === form.get('purpose'))
          },
          take: async (content) => {
            if (!purpose) throw invalidField('form.purpose', 'must come before the file, and be known')
            return (await receiveFile(pro, { purpose, content })).id
          },
        })
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
