/** @jsxImportSource preact */
// The view of the keys of operators' programs.
import type { VNode } from 'preact'

import { PRESETS, type Scope } from '../../../auth/scopes.ts'
import type { listOperatorKeys } from '../../../features/upkeep/operator-keys/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, Disclosure } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, EMPTY_FORM, Form } from '../../ui/form.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { EXPIRES, NAME, lastUsedCell, nameCell, revocation, statusCell, statusOf } from './parts.tsx'

export const PLATFORM_KEYS_PATH = '/console/platform-keys'

type Key = Awaited<ReturnType<typeof listOperatorKeys>>[number]

/** What a key may do, within the role of its operator. */
export const ACCESS = {
  write: { label: 'Read and change', scopes: PRESETS.platform },
  read: { label: 'Read only', scopes: ['platform:read'] },
} as const satisfies Record<string, { label: string; scopes: readonly Scope[] }>

export const PlatformKeyForm = defineForm({
  name: { ...NAME, hint: 'For example “Sync with our directory”' },
  access: {
    schema: OneOf(Object.keys(ACCESS) as (keyof typeof ACCESS)[]),
    label: 'Access',
    choices: Object.entries(ACCESS).map(([value, { label }]) => ({ value, label })),
  },
  expires: EXPIRES,
})

interface PlatformKeys {
  keys: readonly Key[]
  formState: FormState
  now: Date
}

export const platformKeysView = (session: Session, { keys, formState, now }: PlatformKeys): VNode => (
  <>
    <PageHeading>Platform keys</PageHeading>
    <p class="lead">A program with such a key does by the API what your role allows you here.</p>
    <p class="hint">
      It follows a change of your role, and stops working when you can no longer log in. What it changes stands in the
      log of acts under your name. <a href="/api-docs/platform">What programs can do</a>
      {session.operatorRole !== 'administrator' && '. Administrators see your keys, too, and can revoke them.'}
    </p>
    <Disclosure label="Create a platform key" isOpen={keys.length === 0 || formState !== EMPTY_FORM}>
      <Form of={PlatformKeyForm} action={PLATFORM_KEYS_PATH} session={session} formState={formState}>
        <Fields of={PlatformKeyForm} />
        <Button>Create key</Button>
      </Form>
    </Disclosure>
    {keys.length === 0 ? (
      <EmptyState title="No platform keys yet">Create the first one above.</EmptyState>
    ) : (
      <Table
        caption={session.operatorRole === 'administrator' ? 'Platform keys of all operators' : 'Your platform keys'}
        columns={['Key', 'Operator', 'Access', 'Created', 'Last used', 'Status', '']}
        rows={keys.map((key) => rowOf(session, key, now))}
      />
    )}
  </>
)

function rowOf(session: Session, key: Key, now: Date): VNode[] {
  const status = statusOf(key, now)
  const isAsleep = status.isActive && key.isDisabled
  return [
    nameCell(key),
    <div>
      {key.owner}
      <br />
      <span class="hint">{key.userId === session.userId ? `you, ${key.role}` : key.role}</span>
    </div>,
    <div>{key.scopes.length === ACCESS.write.scopes.length ? ACCESS.write.label : ACCESS.read.label}</div>,
    <Time instant={key.createdAt} />,
    lastUsedCell(key),
    statusCell(
      isAsleep ? { badge: <Badge tone="wait">Refused</Badge>, note: 'while the operator is disabled' } : status,
    ),
    <div>{status.isActive && revocation(session, PLATFORM_KEYS_PATH, key)}</div>,
  ]
}
