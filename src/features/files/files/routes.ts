// /files: uploads by keys, and the content for everyone who has an address.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { requestContextOf } from '../../../auth/request-context.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { isJson, orJson, readJsonOf } from '../../../http/body.ts'
import { guard } from '../../../http/guard.ts'
import { assetRoute } from '../../../http/headers.ts'
import { checkScopes } from '../../../http/permissions.ts'
import { receiveUpload } from '../../../http/receive-upload.ts'
import { problems, returns } from '../../../http/responses.ts'
import { FILES_PATH } from './rules/addresses.ts'
import { PURPOSES, PURPOSE_RULES, type Purpose, UPLOAD_SCOPES } from './rules/purposes.ts'
import { File, FileParams, NewFile, NewUpload, StartedUpload } from './schemas.ts'
import { openFile } from './verbs/addresses.ts'
import { completeUpload, startUpload } from './verbs/direct-uploads.ts'
import { getFile, receiveFile } from './verbs/files.ts'

const tags = ['Files']

export const fileRoutes = (deps: Deps) =>
  new Elysia({ name: 'files', prefix: '/files' })
    .use(guard(deps))
    .post(
      '',
      async function postFile({ ctx, caller, request, set, status }) {
        if (isJson(request)) {
          const wanted = await readJsonOf(deps, request, NewUpload)
          checkScopes(deps, caller, PURPOSE_RULES[wanted.purpose])
          const started = await startUpload(ctx, wanted)
          set.headers.location = `/api/v1/files/${started.id}`
          return status(201, started)
        }
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
        response: {
          201: returns('Without content: send it to `upload.url`, then complete the upload', StartedUpload),
          202: returns('Received, and decoded within seconds', File),
        },
        detail: {
          ...orJson(NewUpload),
          tags,
          summary: 'Upload a picture or document',
          description:
            'The content is decoded and written anew without metadata, in three sizes. A file that nothing uses is deleted after a day. Photos of requests, reviews and jobs, and documents are private: their addresses end.\n\nWhere the site keeps files in a bucket, a JSON body begins an upload that goes there at once: send the content to `upload.url`, then say so with `POST /api/v1/files/{id}/complete`. Elsewhere it is answered 400 `direct_uploads_not_configured`.',
        },
      },
    )
    .post(
      '/:id/complete',
      async function completeFile({ ctx, params, status }) {
        return status(202, await completeUpload(ctx, { id: params.id }))
      },
      {
        withKey: UPLOAD_SCOPES,
        idempotent: true,
        params: FileParams,
        response: {
          202: returns('Received, and decoded within seconds; later the file as it is', File),
          ...problems({ 404: 'No such file', 409: 'The content is not in the bucket, or has another size' }),
        },
        detail: { tags, summary: 'Say that the content of a file is in the bucket' },
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
