// The list of a person's connected apps, in the console and for customers.
import type { Side } from '../../auth/oauth/resources.ts'
import { RESOURCES } from '../../auth/oauth/resources.ts'
import type { ConnectedApp } from '../../auth/oauth/schemas.ts'
import type { Config } from '../../config.ts'
import { dateTime, day } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { actionButton } from '../ui/forms.ts'
import { badge, emptyState, table } from '../ui/parts.ts'

/** The pages of connected apps. */
export const APPS_PATHS = { pro: '/console/apps', customer: '/my/apps' } as const satisfies Record<Side, string>

interface AppList {
  side: Side
  apps: readonly ConnectedApp[]
  by: { csrfToken: string }
  config: Pick<Config, 'baseUrl'>
}

/** The list of connected apps, with the address of the agent server for pros or for customers. */
export const connectedAppList = ({ side, apps, by, config }: AppList): Html => html`
  <p>
    Assistants can work with Hearth for you. In the assistant, add a connector with this address:
    <code>${config.baseUrl}${RESOURCES[`${side}-agent`].path}</code>
  </p>
  ${
    apps.length === 0
      ? emptyState('No connected apps', 'Apps that you allow to use your account appear here.')
      : table(
          'Connected apps',
          ['App', 'It can', 'Connected', 'Last used', ''],
          apps.map((app) => rowOf(app, side, by)),
        )
  }
`

const rowOf = (
  { grantId, client, scopes, connections, connectedAt, lastUsedAt }: ConnectedApp,
  side: Side,
  by: { csrfToken: string },
) => [
  html`<div>
    <strong>${client.name}</strong><br />
    ${client.verified ? client.host : html`${badge('Not verified', 'wait')} ${client.host}`}
  </div>`,
  html`<div>
    ${scopes.map(({ words }) => html`<div>${words}</div>`)}
    ${connections > 1 && html`<span class="hint">Connected ${connections} times</span>`}
  </div>`,
  html`<div>${day(connectedAt)}</div>`,
  html`<div>${lastUsedAt === null ? 'Never' : dateTime(lastUsedAt)}</div>`,
  html`<div>
    ${actionButton(by, { action: `${APPS_PATHS[side]}/${grantId}/remove`, label: 'Remove', tone: 'danger' })}
  </div>`,
]

/** The message after the removal of an app. */
export const REMOVED = 'The app is removed. Its access ends within a second.'
