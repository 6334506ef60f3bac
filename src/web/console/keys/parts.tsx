/** @jsxImportSource preact */
// What the pages of keys have in common, those of accounts and those of operators.
import type { ComponentChildren, VNode } from 'preact'

import type { KeyMode } from '../../../auth/keys/format.ts'
import type { Session } from '../../../http/session.ts'
import { CalendarDate, Name } from '../../../platform/schema/types.ts'
import { day } from '../../../platform/text/format.ts'
import { Type } from '@sinclair/typebox'
import { Badge } from '../../ui/badge.tsx'
import { Disclosure } from '../../ui/buttons.tsx'
import type { Flash } from '../../ui/flash.tsx'
import { ActionButton } from '../../ui/form.tsx'
import { Time } from '../../ui/time.tsx'

/** As much of a key as the parts show. */
export interface ShownKey {
  readonly id: string
  readonly name: string
  readonly mode: KeyMode
  readonly lastFour: string
  readonly lastUsedAt: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly replacedBy: string | null
}

/** Fields of the forms for a new key. */
export const NAME = { schema: Name(), label: 'Name' } as const
export const EXPIRES = { schema: Type.Optional(CalendarDate()), label: 'Expires on' } as const

/** When the key of the form ends: with the beginning of the day. */
export const expiryOf = (expires: string | undefined): { expiresAt?: Date } =>
  expires === undefined ? {} : { expiresAt: new Date(`${expires}T00:00:00Z`) }

/** Shows a new key once. */
export const secretFlash = (text: string, value: string): Flash => ({
  tone: 'good',
  text,
  secret: { label: 'API key', value },
})

/** The name, and what one recognizes the key by elsewhere. */
export const nameCell = ({ name, mode, lastFour }: ShownKey): VNode => (
  <div>
    <strong>{name}</strong> {mode === 'test' && <Badge tone="wait">Test</Badge>}
    <br />
    <code>
      hearth_{mode}_…{lastFour}
    </code>
  </div>
)

export const lastUsedCell = ({ lastUsedAt }: ShownKey): VNode => (
  <div>{lastUsedAt === null ? 'Never' : <Time instant={lastUsedAt} />}</div>
)

export function statusOf({ revokedAt, expiresAt, replacedBy }: ShownKey, now: Date) {
  if (revokedAt !== null) return { isActive: false, badge: <Badge tone="bad">Revoked</Badge>, note: day(revokedAt) }
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
    return { isActive: false, badge: <Badge>Expired</Badge>, note: day(expiresAt) }
  if (replacedBy !== null) return { isActive: true, badge: <Badge tone="wait">Replaced</Badge>, note: until(expiresAt) }
  return { isActive: true, badge: <Badge tone="good">Active</Badge>, note: until(expiresAt) }
}

const until = (expiresAt: string | null): VNode | false =>
  expiresAt !== null && (
    <>
      until <Time instant={expiresAt} />
    </>
  )

export const statusCell = ({ badge, note }: { badge: VNode; note: ComponentChildren }): VNode => (
  <div>
    {badge}
    {note && (
      <>
        <br />
        <span class="hint">{note}</span>
      </>
    )}
  </div>
)

/** Says what the revocation does before it is sent. */
export const revocation = (session: Session, path: string, { id, name }: ShownKey): VNode => (
  <Disclosure label="Revoke">
    <p>“{name}” stops working immediately. You cannot undo this.</p>
    <ActionButton session={session} action={`${path}/${id}/revoke`} label="Revoke key" look="danger" />
  </Disclosure>
)
