/** @jsxImportSource preact */
// The view of API keys: the list, the form for a new key, rotation and revocation.
import type { listKeys } from '../../../auth/keys/verbs/keys.ts'
import { PRESETS, type Preset, type Scope } from '../../../auth/scopes.ts'
import type { Session } from '../../../http/session.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import type { Choice } from '../../ui/fields.tsx'
import { KEY_MODES } from '../../../auth/keys/format.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { OneOf, Text } from '../../../platform/schema/types.ts'
import { Type } from '@sinclair/typebox'
import { EMPTY_FORM, type FormState, type RowForm, Form, ProblemBox, formOfRow } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import type { VNode } from 'preact'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { EXPIRES, NAME, lastUsedCell, nameCell, revocation, statusCell, statusOf } from './parts.tsx'

export const KEYS_PATH = '/console/keys'

/** The keys of operators have a page of their own. */
type ConsolePreset = Exclude<Preset, 'platform'>

const PRESET_LABELS: Record<ConsolePreset, string> = {
  'full-server': 'Full server: search, book, ask for quotes, review',
  'agent-tools': 'Agent tools: the agent servers',
  widget: 'Widget: bookings from pages of one origin',
  'webhook-receiver': 'Webhook receiver: manage and verify webhooks',
  'pro-dashboard': 'Pro dashboard: your own bookings, leads and settings',
}

const TEST_PRO_LABEL = 'Test pro: confirms bookings and sends quotes as a test pro (test mode only)'

const OVERLAPS = { '0': 'Immediately', '1': 'One hour', '24': 'One day', '168': 'One week' } as const
type Key = Awaited<ReturnType<typeof listKeys>>[number]

const MODES: Choice[] = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test: three test pros of your own, no real bookings, no e-mail, no money' },
]

export const KeyForm = defineForm({
  name: { ...NAME, hint: 'For example “Website, production”' },
  preset: { schema: OneOf(Object.keys(PRESET_LABELS) as ConsolePreset[]), label: 'Access' },
  mode: { schema: Type.Optional(OneOf(KEY_MODES)), label: 'Mode', choices: MODES, isOptional: false },
  origin: {
    schema: Type.Optional(Text(200)),
    label: 'Origin',
    hint: 'Restricts the key to pages of this origin. Required for a widget.',
    placeholder: 'https://shop.example',
  },
  limitPercent: {
    schema: Integer({ minimum: 1, maximum: 100 }),
    label: 'Rate limits (% of the standard limits)',
  },
  expires: EXPIRES,
})

export const RotateForm = defineForm({
  overlapHours: {
    schema: OneOf(Object.keys(OVERLAPS) as (keyof typeof OVERLAPS)[]),
    label: 'The old key stops working after',
    choices: Object.entries(OVERLAPS).map(([value, label]) => ({ value, label })),
  },
})

interface KeyList {
  keys: readonly Key[]
  formState: FormState
  /** The form of a key whose rotation was refused. */
  refused: RowForm | undefined
  now: Date
}

export const keyListView = (session: Session, { keys, formState, refused, now }: KeyList): VNode => (
  <>
    <PageHeading>API keys</PageHeading>
    {refused && <ProblemBox formState={refused.formState} />}
    {createForm(session, formState, { isOpen: keys.length === 0 || formState !== EMPTY_FORM })}
    {keys.length === 0 ? (
      <EmptyState title="No keys yet">Programs call the API with a key. Create your first key above.</EmptyState>
    ) : (
      <Table
        caption="API keys"
        columns={['Key', 'Access', 'Limits', 'Last used', 'Status', '']}
        rows={keys.map((key) => rowOf(session, key, { now, formState: formOfRow(refused, key.id) }))}
      />
    )}
  </>
)

/** The presets for the session's role: only pros can use the pro dashboard's scopes. */
export const availablePresets = (session: Session): ConsolePreset[] =>
  (Object.keys(PRESET_LABELS) as ConsolePreset[]).filter(
    (preset) => preset !== 'pro-dashboard' || session.role === 'pro',
  )

function createForm(session: Session, formState: FormState, { isOpen }: { isOpen: boolean }): VNode {
  const presets: Choice[] = availablePresets(session).map((value) => ({ value, label: PRESET_LABELS[value] }))
  const isTestMode = session.testAccountId !== null
  const modes = isTestMode ? [] : (['mode'] as const)
  if (session.role !== 'pro') presets.push({ value: 'pro-dashboard', label: TEST_PRO_LABEL })
  return (
    <Disclosure label={isTestMode ? 'Create a test key' : 'Create a key'} isOpen={isOpen}>
      <Form of={KeyForm} action={KEYS_PATH} session={session} formState={formState}>
        <Fields of={KeyForm} names={['name', 'preset', ...modes]} choices={{ preset: presets }} />
        <div class="side-by-side">
          <Fields of={KeyForm} names={['origin', 'limitPercent', 'expires']} values={{ limitPercent: 100 }} />
        </div>
        <Button>Create key</Button>
      </Form>
    </Disclosure>
  )
}

function rowOf(session: Session, key: Key, { now, formState }: { now: Date; formState: FormState }) {
  const status = statusOf(key, now)
  return [
    nameCell(key),
    <div>
      {accessOf(key.scopes)}
      {key.origin !== null && (
        <>
          <br />
          <code>{key.origin}</code>
        </>
      )}
    </div>,
    <div>{key.rateMultiplier === 1 ? 'Standard' : `${Math.round(key.rateMultiplier * 10_000) / 100}%`}</div>,
    lastUsedCell(key),
    statusCell(status),
    <div>{status.isActive && actionsOf(session, key, formState)}</div>,
  ]
}

function accessOf(scopes: readonly Scope[]): string {
  const preset = (Object.keys(PRESET_LABELS) as ConsolePreset[]).find((one) => {
    const granted: readonly Scope[] = PRESETS[one]
    return granted.length === scopes.length && granted.every((scope) => scopes.includes(scope))
  })
  return preset ? (PRESET_LABELS[preset].split(':')[0] ?? '') : scopes.join(', ')
}

const actionsOf = (session: Session, key: Key, formState: FormState): VNode => (
  <ButtonRow>
    {key.replacedBy === null && (
      <Disclosure label="Rotate" isOpen={formState !== EMPTY_FORM}>
        <Form
          of={RotateForm}
          action={`${KEYS_PATH}/${key.id}/rotate`}
          session={session}
          formState={formState}
          saysProblem={false}
        >
          <Fields of={RotateForm} values={{ overlapHours: '24' }} row={key.id} />
          <Button isSmall>Rotate “{key.name}”</Button>
        </Form>
      </Disclosure>
    )}
    {revocation(session, KEYS_PATH, key)}
  </ButtonRow>
)

/** True for a key that is neither revoked nor expired. */
export const isActive = (key: Key, now: Date): boolean => statusOf(key, now).isActive
