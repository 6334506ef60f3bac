// The view of API keys: the list, the form for a new key, rotation and revocation.
import type { listKeys } from '../../../auth/keys/verbs/keys.ts'
import { PRESETS, type Preset, type Scope } from '../../../auth/scopes.ts'
import type { Session } from '../../../http/session.ts'
import { dateTime, day } from '../../../platform/text/format.ts'
import {
  type Choice,
  EMPTY_FORM,
  type FormState,
  actionButton,
  csrfField,
  disclosure,
  problemBox,
  selectField,
  textField,
} from '../../ui/forms.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { badge, buttonRow, emptyState, pageHeading, table } from '../../ui/parts.ts'

export const KEYS_PATH = '/console/keys'

const PRESET_LABELS: Record<Preset, string> = {
  'full-server': 'Full server: search, book, ask for quotes, review',
  'agent-tools': 'Agent tools: the agent servers',
  widget: 'Widget: bookings from pages of one origin',
  'webhook-receiver': 'Webhook receiver: manage and verify webhooks',
  'pro-dashboard': 'Pro dashboard: your own bookings, leads and settings',
}

const TEST_PRO_LABEL = 'Test pro: confirms bookings and sends quotes as a test pro (test mode only)'

export const OVERLAPS = { '0': 'Immediately', '1': 'One hour', '24': 'One day', '168': 'One week' } as const
type Key = Awaited<ReturnType<typeof listKeys>>[number]

const MODES: Choice[] = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test: three test pros of your own, no real bookings, no e-mail, no money' },
]

interface KeyList {
  keys: readonly Key[]
  formState: FormState
  now: Date
}

export const keyListView = (session: Session, { keys, formState, now }: KeyList): Html => html`
  ${pageHeading('API keys')}
  ${createForm(session, formState, { isOpen: keys.length === 0 || formState !== EMPTY_FORM })}
  ${
    keys.length === 0
      ? emptyState('No keys yet', 'Programs call the API with a key. Create your first key above.')
      : table(
          'API keys',
          ['Key', 'Access', 'Limits', 'Last used', 'Status', ''],
          keys.map((key) => rowOf(session, key, now)),
        )
  }
`

/** The presets for the session's role: only pros can use the pro dashboard's scopes. */
export const availablePresets = (session: Session): Preset[] =>
  (Object.keys(PRESET_LABELS) as Preset[]).filter((preset) => preset !== 'pro-dashboard' || session.role === 'pro')

function createForm(session: Session, formState: FormState, { isOpen }: { isOpen: boolean }): Html {
  const presets: Choice[] = availablePresets(session).map((value) => ({ value, label: PRESET_LABELS[value] }))
  const isTestMode = session.testAccountId !== null
  if (session.role !== 'pro') presets.push({ value: 'pro-dashboard', label: TEST_PRO_LABEL })
  return disclosure(
    isTestMode ? 'Create a test key' : 'Create a key',
    html`<form method="post" action="${KEYS_PATH}">
      ${csrfField(session)} ${problemBox(formState)}
      ${textField({ name: 'name', label: 'Name', hint: 'For example “Website, production”', maxLength: 200, formState })}
      ${selectField({ name: 'preset', label: 'Access', choices: presets, formState })}
      ${!isTestMode && selectField({ name: 'mode', label: 'Mode', choices: MODES, formState })}
      <div class="side-by-side">
        ${textField({
          name: 'origin',
          label: 'Origin',
          isOptional: true,
          hint: 'Restricts the key to pages of this origin. Required for a widget.',
          placeholder: 'https://shop.example',
          maxLength: 200,
          formState,
        })}
        ${textField({
          name: 'limitPercent',
          label: 'Rate limits (% of the standard limits)',
          type: 'number',
          min: 1,
          max: 100,
          value: '100',
          formState,
        })}
        ${textField({ name: 'expires', label: 'Expires on', type: 'date', isOptional: true, formState })}
      </div>
      <button>Create key</button>
    </form>`,
    { isOpen },
  )
}

const nameOf = ({ name, mode }: Key): Html => html`<strong>${name}</strong> ${mode === 'test' && badge('Test', 'wait')}`

function rowOf(session: Session, key: Key, now: Date) {
  const status = statusOf(key, now)
  return [
    html`<div>${nameOf(key)}<br /><code>hearth_${key.mode}_…${key.lastFour}</code></div>`,
    html`<div>${accessOf(key.scopes)}${key.origin !== null && html`<br /><code>${key.origin}</code>`}</div>`,
    html`<div>${key.rateMultiplier === 1 ? 'Standard' : `${Math.round(key.rateMultiplier * 10_000) / 100} %`}</div>`,
    html`<div>${key.lastUsedAt === null ? 'Never' : dateTime(key.lastUsedAt)}</div>`,
    html`<div>${status.badge}${status.note && html`<br /><span class="hint">${status.note}</span>`}</div>`,
    html`<div>${status.isActive && actionsOf(session, key)}</div>`,
  ]
}

function statusOf({ revokedAt, expiresAt, replacedBy }: Key, now: Date) {
  if (revokedAt !== null) return { isActive: false, badge: badge('Revoked', 'bad'), note: day(revokedAt) }
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
    return { isActive: false, badge: badge('Expired'), note: day(expiresAt) }
  if (replacedBy !== null) return { isActive: true, badge: badge('Replaced', 'wait'), note: until(expiresAt) }
  return { isActive: true, badge: badge('Active', 'good'), note: until(expiresAt) }
}

const until = (expiresAt: string | null): Html | false => expiresAt !== null && html`until ${dateTime(expiresAt)}`

function accessOf(scopes: readonly Scope[]): string {
  const presets = Object.entries(PRESETS) as [Preset, readonly Scope[]][]
  const preset = presets.find(
    ([, granted]) => granted.length === scopes.length && granted.every((scope) => scopes.includes(scope)),
  )
  return preset ? (PRESET_LABELS[preset[0]].split(':')[0] ?? '') : scopes.join(', ')
}

const actionsOf = (session: Session, { id, name, replacedBy }: Key): Html =>
  buttonRow(html`
    ${
      replacedBy === null &&
      disclosure(
        'Rotate',
        html`<form method="post" action="${KEYS_PATH}/${id}/rotate">
          ${csrfField(session)}
          ${selectField({
            id: `overlap-${id}`,
            name: 'overlapHours',
            label: 'The old key stops working after',
            value: '24',
            choices: Object.entries(OVERLAPS).map(([value, label]) => ({ value, label })),
          })}
          <button class="small">Rotate “${name}”</button>
        </form>`,
      )
    }
    ${disclosure(
      'Revoke',
      html`<p>“${name}” stops working immediately. You cannot undo this.</p>
        ${actionButton(session, { action: `${KEYS_PATH}/${id}/revoke`, label: 'Revoke key', tone: 'danger' })}`,
    )}
  `)

/** True for a key that is neither revoked nor expired. */
export const isActive = (key: Key, now: Date): boolean => statusOf(key, now).isActive
