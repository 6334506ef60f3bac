// /files: uploads by keys, and the content for everyone who has an address.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { requestContextOf } from '../../../auth/request-context.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { guard } from '../../../http/guard.ts'
import { assetRoute } from '../../../http/headers.ts'
import { checkScopes } from '../../../http/permissions.ts'
import { receiveUpload } from '../../../http/receive-upload.ts'
import { problems, returns } from '../../../http/responses.ts'
import { FILES_PATH } from './rules/addresses.ts'
import { PURPOSES, PURPOSE_RULES, type Purpose, UPLOAD_SCOPES } from './rules/purposes.ts'
import { File, FileParams, NewFile } from './schemas.ts'
import { openFile } from './verbs/addresses.ts'
import { getFile, receiveFile } from './verbs/files.ts'

const tags = ['Files']

export const fileRoutes = (deps: Deps) =>
  new Elysia({ name: 'files', prefix: '/files' })
    .use(guard(deps))
    .post(
      '',
      async function postFile({ ctx, caller, request, set, status }) {
        const file = await receiveUpload(deps, request, async ({ fields, content }) => {
          const purpose = purposeOf(fields)
          checkScopes(deps, caller, PURPOSE_RULES[purpose])
          return await receiveFile(ctx, { purpose, content })
        })
        set.headers.location = `/api/v1/files/${file.id}`
        return status(202, file)
      },
      {
        withKey: UPLOAD_SCOPES,
        idempotent: true,
        upload: NewFile,
        response: { 202: returns('Received, and decoded within seconds', File) },
        detail: {
          tags,
          summary: 'Upload a picture or document',
          description:
            'The content is decoded and written anew without metadata, in three sizes. A file that nothing uses is deleted after a day. Photos of requests, reviews and jobs, and documents are private: their addresses end.',
        },
      },
    )
    .get(
      '/:id',
      async function getOneFile({ ctx, params }) {
        return await getFile(ctx, { id: params.id })
      },
      {
        withKey: [...UPLOAD_SCOPES, 'pro:read'],
        params: FileParams,
        response: { 200: returns('The file', File), ...problems({ 404: 'No such file' }) },
        detail: { tags, summary: 'Whether a file is ready, and its addresses' },
      },
    )

/** Throws validation_failed for other fields and an unknown purpose. */
function purposeOf(fields: ReadonlyMap<string, string>): Purpose {
  const other = [...fields.keys()].find((name) => name !== 'purpose')
  if (other !== undefined) throw invalidField(`body.${other}`, 'is not a known field')
  const purpose = PURPOSES.find((known) => known === fields.get('purpose'))
  if (!purpose) throw invalidField('body.purpose', `must come before the file and be one of ${PURPOSES.join(', ')}`)
  return purpose
}

/** What people sent can do nothing in a browser, wherever it is opened. */
const HARMLESS = { 'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'" }
const SIGNED = Type.Object({ expires: Type.Optional(Type.String()), signature: Type.Optional(Type.String()) })

/** The content of files, at addresses of their own. */
export const fileContent = (deps: Deps) =>
  new Elysia({ name: 'file-content', prefix: FILES_PATH }).use(guard(deps)).get(
    '/:file',
    async function getFileContent({ ctx, params, query, request }) {
      const { object, type, isPrivate } = await openFile(ctx, { ...query, file: params.file })
      if (isPrivate) requestContextOf(request).caching = 'personal'
      return new Response(object.stream(), {
        headers: {
          ...HARMLESS,
          'content-type': type,
          'content-length': String(object.bytes),
          ...(isPrivate ? { 'content-disposition': 'attachment' } : { 'cross-origin-resource-policy': 'cross-origin' }),
        },
      })
    },
    { ...assetRoute(), query: SIGNED },
  )
