/** @jsxImportSource preact */
// The list of a person's connected apps, in the console and for customers.
import type { Side } from '../../auth/oauth/resources.ts'
import { RESOURCES } from '../../auth/oauth/resources.ts'
import type { ConnectedApp } from '../../auth/oauth/schemas.ts'
import type { Config } from '../../config.ts'
import { Time } from '../ui/time.tsx'
import { day } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { ActionButton } from '../ui/form.tsx'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { Table } from '../ui/table.tsx'

/** The pages of connected apps. */
export const APPS_PATHS = { pro: '/console/apps', customer: '/my/apps' } as const satisfies Record<Side, string>

interface AppList {
  side: Side
  apps: readonly ConnectedApp[]
  by: { csrfToken: string }
  config: Pick<Config, 'baseUrl'>
}

/** The list of connected apps, with the address of the agent server for pros or for customers. */
export const connectedAppList = ({ side, apps, by, config }: AppList): VNode => (
  <>
    <p>
      Assistants can work here for you. In the assistant, add a connector with this address:{' '}
      <code>
        {config.baseUrl}
        {RESOURCES[`${side}-agent`].path}
      </code>
    </p>
    {apps.length === 0 ? (
      <EmptyState title="No connected apps">Apps that you allow to use your account appear here.</EmptyState>
    ) : (
      <Table
        caption="Connected apps"
        columns={['App', 'It can', 'Connected', 'Last used', '']}
        rows={apps.map((app) => rowOf(app, side, by))}
      />
    )}
  </>
)

const rowOf = (
  { grantId, client, scopes, connections, connectedAt, lastUsedAt }: ConnectedApp,
  side: Side,
  by: { csrfToken: string },
) => [
  <div>
    <strong>{client.name}</strong>
    <br />{' '}
    {client.verified ? (
      client.host
    ) : (
      <>
        <Badge tone="wait">Not verified</Badge> {client.host}
      </>
    )}
  </div>,
  <div>
    {scopes.map(({ words }) => (
      <div>{words}</div>
    ))}
    {connections > 1 && <span class="hint">Connected {connections} times</span>}
  </div>,
  <div>{day(connectedAt)}</div>,
  <div>{lastUsedAt === null ? 'Never' : <Time instant={lastUsedAt} />}</div>,
  <div>
    <ActionButton session={by} action={`${APPS_PATHS[side]}/${grantId}/remove`} label="Remove" look="danger" />
  </div>,
]

/** The message after the removal of an app. */
export const REMOVED = 'The app is removed. Its access ends within a second.'
