// /console/keys: the account's API keys.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { PRESETS } from '../../../auth/scopes.ts'
import { createKeyInMode } from '../../../features/upkeep/test-mode/verbs.ts'
import { listKeys, revokeKey, rotateKey } from '../../../auth/keys/verbs/keys.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, accountOf } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.tsx'
import { redirect, renderConsolePage, redirectWithFlash } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { EMPTY_FORM, type RowForm, formStatus } from '../../ui/form.tsx'
import { expiryOf, secretFlash } from './parts.tsx'
import { KEYS_PATH as PATH, KeyForm, RotateForm, availablePresets, keyListView } from './view.tsx'

const session = ['developer', 'pro'] as const
const params = Type.Object({ id: Uuid() })

export const keyPages = (deps: Deps) =>
  new Elysia({ name: 'key-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getKeys({ ctx, authenticated }) {
        return await renderKeyList(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postKey({ ctx, authenticated: by }) {
        return await submitForm(
          KeyForm,
          by.form,
          async (input) => redirectWithFlash(ctx, by.session, PATH, await createKeyFlash(ctx, by, input)),
          (formState) => renderKeyList(ctx, by, formState),
        )
      },
      { session, form: KeyForm },
    )
    .get(`${PATH}/:id/rotate`, () => redirect(PATH), { session, params })
    .post(
      `${PATH}/:id/rotate`,
      async function postKeyRotation({ ctx, authenticated: by, params }) {
        return await submitForm(
          RotateForm,
          by.form,
          async ({ overlapHours }) => {
            const { accountId } = accountOf(by)
            const key = await rotateKey(ctx, { overlapHours: Number(overlapHours), accountId, id: params.id })
            const text = `The key “${key.name}” is rotated. Use the new key from now on.`
            return redirectWithFlash(ctx, by.session, PATH, secretFlash(text, key.secret))
          },
          (formState) => renderKeyList(ctx, by, EMPTY_FORM, { id: params.id, formState }),
        )
      },
      { session, params, form: RotateForm },
    )
    .post(
      `${PATH}/:id/revoke`,
      async function postKeyRevocation({ ctx, authenticated: by, params }) {
        return await runAction(ctx, by, PATH, async () => {
          await revokeKey(ctx, { accountId: accountOf(by).accountId, id: params.id })
          return 'The key is revoked. It stops working within a second.'
        })
      },
      { session, params },
    )

async function createKeyFlash(ctx: Ctx, by: AuthenticatedRequest, input: Static<typeof KeyForm>): Promise<Flash> {
  const { name, preset, origin, limitPercent, expires } = input
  const mode = by.session.testAccountId === null ? input.mode : 'test'
  if (mode !== 'test' && !availablePresets(by.session).includes(preset))
    throw invalidField('preset', 'is for test keys only in your account')
  const key = await createKeyInMode(ctx, {
    ownerEmail: accountOf(by).accountEmail,
    scopes: PRESETS[preset],
    name,
    ...(mode === undefined ? {} : { mode }),
    rateMultiplier: limitPercent / 100,
    ...(origin === undefined ? {} : { origin }),
    ...expiryOf(expires),
  })
  const text = `The key “${key.name}” is ready to use.`
  return secretFlash(mode === 'test' ? `${text} It finds three test pros, and no others.` : text, key.secret)
}

/** The keys that the console shows: in test mode, test keys only. */
export async function listShownKeys(ctx: Ctx, by: AuthenticatedRequest): ReturnType<typeof listKeys> {
  const { accountEmail, testAccountId } = accountOf(by)
  const keys = await listKeys(ctx, { ownerEmail: accountEmail })
  return testAccountId === null ? keys : keys.filter(({ mode }) => mode === 'test')
}

async function renderKeyList(
  ctx: Ctx,
  by: AuthenticatedRequest,
  formState = EMPTY_FORM,
  refused?: RowForm,
): Promise<Response> {
  const keys = await listShownKeys(ctx, by)
  const content = keyListView(by.session, { keys, formState, refused, now: ctx.clock.now() })
  return renderConsolePage(ctx, by, { title: 'API keys', content }, formStatus(refused?.formState ?? formState))
}
