// /console/keys: the account's API keys: made from presets, shown once, rotated, revoked.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { PRESETS, type Preset, type Scope } from '../../../auth/scopes.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../auth/keys/verbs/keys.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, accountOf } from '../../../http/session.ts'
import { CalendarDate, Name, OneOf, Uuid } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.ts'
import { renderConsolePage, redirectWithFlash } from '../../ui/responses.ts'
import { runAction, runFormAction, submitForm } from '../../ui/submit.ts'
import { day, dateTime } from '../../ui/format.ts'
import {
  type Choice,
  type FormState,
  EMPTY_FORM,
  actionButton,
  disclosure,
  problemBox,
  csrfField,
  selectField,
  textField,
  formStatus,
} from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import { badge, buttonRow, emptyState, pageHeading, table } from '../../ui/parts.ts'

const PATH = '/console/keys'
const session = ['developer', 'pro'] as const
const params = Type.Object({ id: Uuid() })

const PRESET_LABELS: Record<Preset, string> = {
  'full-server': 'Full server: search, book, ask for quotes, review',
  'agent-tools': 'Agent tools: the agent servers',
  widget: 'Widget: bookings from pages of one origin',
  'webhook-receiver': 'Webhook receiver: manage and verify webhooks',
  'pro-dashboard': 'Pro dashboard: your own bookings, leads and settings',
}

const KeyForm = Type.Object({
  name: Name(),
  preset: OneOf(Object.keys(PRESETS) as Preset[]),
  origin: Type.Optional(Type.String({ maxLength: 200 })),
  limitPercent: Type.Integer({ minimum: 1, maximum: 100 }),
  expires: Type.Optional(CalendarDate()),
})

const OVERLAPS = { '0': 'Nothing: it stops now', '1': 'One hour', '24': 'One day', '168': 'One week' } as const
const RotateForm = Type.Object({ overlapHours: OneOf(Object.keys(OVERLAPS) as (keyof typeof OVERLAPS)[]) })

export const keyPages = (deps: Deps) =>
  new Elysia({ name: 'key-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getKeys({ authenticated }) {
        return await renderKeysPage(deps, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postKey({ authenticated: by }) {
        return await submitForm(
          KeyForm,
          by.form,
          async (input) => redirectWithFlash(deps, by.session, PATH, await createKeyFlash(deps, by, input)),
          (formState) => renderKeysPage(deps, by, formState),
        )
      },
      { session, form: KeyForm },
    )
    .post(
      `${PATH}/:id/rotate`,
      async function postKeyRotation({ authenticated: by, params }) {
        return await runFormAction(deps, by, PATH, RotateForm, async ({ overlapHours }) => {
          const { accountId } = accountOf(by)
          const made = await rotateKey(deps, params.id, { overlapHours: Number(overlapHours), accountId })
          return secretFlash(`“${made.name}” has a successor.`, made.secret)
        })
      },
      { session, params, form: RotateForm },
    )
    .post(
      `${PATH}/:id/revoke`,
      async function postKeyRevocation({ authenticated: by, params }) {
        return await runAction(deps, by, PATH, async () => {
          await revokeKey(deps, params.id, { accountId: accountOf(by).accountId })
          return 'The key is revoked: it stops working everywhere within a second.'
        })
      },
      { session, params },
    )

async function createKeyFlash(deps: Deps, by: AuthenticatedRequest, input: Static<typeof KeyForm>): Promise<Flash> {
  const { name, preset, origin, limitPercent, expires } = input
  const expiresAt = expires === undefined ? undefined : new Date(`${expires}T00:00:00Z`)
  if (expiresAt && expiresAt <= deps.clock.now()) throw invalidField('expires', 'must be a day to come')
  if (!presetsOf(by).includes(preset)) throw invalidField('preset', 'must be one that is for your account')
  const made = await createKey(deps, {
    ownerEmail: accountOf(by).accountEmail,
    scopes: PRESETS[preset],
    name,
    rateMultiplier: limitPercent / 100,
    ...(origin === undefined ? {} : { origin }),
    ...(expiresAt ? { expiresAt } : {}),
  })
  return secretFlash(`“${made.name}” is ready to use.`, made.secret)
}

const secretFlash = (text: string, value: string): Flash => ({
  tone: 'good',
  text,
  secret: { label: 'API key', value },
})

/** A pro's scopes are of no use to others. */
const presetsOf = ({ session }: AuthenticatedRequest): Preset[] =>
  (Object.keys(PRESET_LABELS) as Preset[]).filter((preset) => preset !== 'pro-dashboard' || session.role === 'pro')

async function renderKeysPage(deps: Deps, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const keys = await listKeys(deps, accountOf(by).accountEmail)
  const now = deps.clock.now()
  const content = html`
    ${pageHeading('API keys')} ${createForm(by, formState, { isOpen: keys.length === 0 || formState !== EMPTY_FORM })}
    ${
      keys.length === 0
        ? emptyState('No keys yet', 'A key is what a program shows to call the API. Make the first one above.')
        : table(
            'API keys',
            ['Key', 'May', 'Limits', 'Last used', 'State', ''],
            keys.map((key) => rowOf(by, key, now)),
          )
    }
  `
  return renderConsolePage(deps, by, { title: 'API keys', content }, formStatus(formState))
}

function createForm(by: AuthenticatedRequest, formState: FormState, { isOpen }: { isOpen: boolean }): Html {
  const presets: Choice[] = presetsOf(by).map((value) => ({ value, label: PRESET_LABELS[value] }))
  return disclosure(
    'Make a key',
    html`<form method="post" action="${PATH}">
      ${csrfField(by.session)} ${problemBox(formState)}
      ${textField({ name: 'name', label: 'Name', hint: 'What it is for: “Website, production”', maxLength: 200, formState })}
      ${selectField({ name: 'preset', label: 'What it may do', choices: presets, formState })}
      <div class="side-by-side">
        ${textField({
          name: 'origin',
          label: 'Origin',
          isOptional: true,
          hint: 'Pages of this origin alone may use it. A widget’s key needs one.',
          placeholder: 'https://shop.example',
          maxLength: 200,
          formState,
        })}
        ${textField({
          name: 'limitPercent',
          label: 'Share of the usual limits, %',
          type: 'number',
          min: 1,
          max: 100,
          value: '100',
          formState,
        })}
        ${textField({ name: 'expires', label: 'Works until', type: 'date', isOptional: true, formState })}
      </div>
      <button>Make the key</button>
    </form>`,
    { isOpen },
  )
}

type Key = Awaited<ReturnType<typeof listKeys>>[number]

function rowOf(by: AuthenticatedRequest, key: Key, now: Date) {
  const state = stateOf(key, now)
  return [
    html`<div><strong>${key.name}</strong><br /><code>…${key.lastFour}</code></div>`,
    html`<div>${mayOf(key.scopes)}${key.origin !== null && html`<br /><code>${key.origin}</code>`}</div>`,
    html`<div>${key.rateMultiplier === 1 ? 'Usual' : `${Math.round(key.rateMultiplier * 10_000) / 100} %`}</div>`,
    html`<div>${key.lastUsedAt === null ? 'Never' : dateTime(key.lastUsedAt)}</div>`,
    html`<div>${state.mark}${state.note && html`<br /><span class="hint">${state.note}</span>`}</div>`,
    html`<div>${state.isOver ? '' : actionsOf(by, key)}</div>`,
  ]
}

function stateOf({ revokedAt, expiresAt, replacedBy }: Key, now: Date) {
  if (revokedAt !== null) return { isOver: true, mark: badge('Revoked', 'bad'), note: day(revokedAt) }
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
    return { isOver: true, mark: badge('Expired'), note: day(expiresAt) }
  if (replacedBy !== null) return { isOver: false, mark: badge('Replaced', 'wait'), note: until(expiresAt) }
  return { isOver: false, mark: badge('Active', 'good'), note: until(expiresAt) }
}

const until = (expiresAt: string | null): Html | false => expiresAt !== null && html`until ${dateTime(expiresAt)}`

function mayOf(scopes: readonly Scope[]): string {
  const presets = Object.entries(PRESETS) as [Preset, readonly Scope[]][]
  const preset = presets.find(([, of]) => of.length === scopes.length && of.every((scope) => scopes.includes(scope)))
  return preset ? (PRESET_LABELS[preset[0]].split(':')[0] ?? '') : scopes.join(', ')
}

const actionsOf = ({ session }: AuthenticatedRequest, { id, name, replacedBy }: Key): Html =>
  buttonRow(html`
    ${
      replacedBy === null &&
      disclosure(
        'Rotate',
        html`<form method="post" action="${PATH}/${id}/rotate">
          ${csrfField(session)}
          ${selectField({
            id: `overlap-${id}`,
            name: 'overlapHours',
            label: 'How long the old key works on',
            value: '24',
            choices: Object.entries(OVERLAPS).map(([value, label]) => ({ value, label })),
          })}
          <button class="small">Make the successor of “${name}”</button>
        </form>`,
      )
    }
    ${disclosure(
      'Revoke',
      html`<p>“${name}” stops working at once, for good.</p>
        ${actionButton(session, { action: `${PATH}/${id}/revoke`, label: 'Revoke the key', tone: 'danger' })}`,
    )}
  `)

/** Whether the key is accepted. */
export const isWorking = (key: Key, now: Date): boolean => !stateOf(key, now).isOver
