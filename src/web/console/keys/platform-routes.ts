// /console/platform-keys: the keys with which programs act for operators.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { CreatedKey, NewKey } from '../../../auth/keys/verbs/keys.ts'
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../../features/upkeep/operator-keys/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { expiryOf, secretFlash } from './parts.tsx'
import { ACCESS, PLATFORM_KEYS_PATH as PATH, PlatformKeyForm, platformKeysView } from './platform-view.tsx'

const session = ['operator'] as const

export const platformKeyPages = (deps: Deps) =>
  new Elysia({ name: 'platform-key-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getPlatformKeys({ ctx, authenticated: by }) {
        return await renderList(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postPlatformKey({ ctx, authenticated: by }) {
        return await submitForm(
          PlatformKeyForm,
          by.form,
          async ({ name, access, expires }) => {
            const { secret } = await createOwnKey(ctx, by, {
              name,
              scopes: ACCESS[access].scopes,
              ...expiryOf(expires),
            })
            return redirectWithFlash(ctx, by.session, PATH, secretFlash(`The key “${name}” is ready to use.`, secret))
          },
          (formState) => renderList(ctx, by, formState),
        )
      },
      { session, form: PlatformKeyForm },
    )
    .post(
      `${PATH}/:id/revoke`,
      async function postPlatformKeyRevocation({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await revokeOperatorKey(ctx.as(by.session), { id })
          return 'The key is revoked. It stops working within a second.'
        })
      },
      { session, params: Type.Object({ id: Uuid() }) },
    )

async function createOwnKey(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  input: Omit<NewKey, 'ownerEmail'>,
): Promise<CreatedKey> {
  try {
    return await createOperatorKey(ctx, { ...input, ownerEmail: session.email, by: session.userId })
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors?.some(({ path }) => path === 'owner')) throw error
    throw new AppError(
      'validation_failed',
      `${session.email} has keys of a developer or a pro already, and cannot have platform keys beside them. Change the address with which you log in, under “Your account”.`,
    )
  }
}

async function renderList(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const keys = await listOperatorKeys(ctx.as(by.session))
  const content = platformKeysView(by.session, { keys, formState, now: ctx.clock.now() })
  return renderConsolePage(ctx, by, { title: 'Platform keys', content }, formStatus(formState))
}
