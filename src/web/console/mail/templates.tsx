/** @jsxImportSource preact */
// /console/mail/templates: every message with sample data.
import { kindInWords, MESSAGE_KINDS } from '../../../features/messages/messages/kind-facts.ts'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import type { MessageKind } from '../../../features/messages/messages/kinds.ts'
import type { RenderedMessage } from '../../../features/messages/messages/templates/rendered.ts'
import { KindParams } from '../../../features/messages/messages/schemas.ts'
import { renderMessage } from '../../../features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../features/messages/messages/templates/samples.ts'
import { guard } from '../../../http/guard.ts'
import { localizedValue, regionOf } from '../../../platform/text/region.ts'
import { siteOf } from '../../ui/site.tsx'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { renderConsolePage } from '../../ui/responses.tsx'
import { FRAME_SOURCES, htmlDocument, messageParts } from './html-document.tsx'
import { MAIL_PATH } from './view.tsx'

const PATH = `${MAIL_PATH}/templates`
const session = ['operator'] as const
const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[]

export const templatePages = (deps: Deps) =>
  new Elysia({ name: 'message-template-pages' })
    .use(guard(deps))
    .get(
      PATH,
      function getTemplates({ authenticated: by }) {
        const content = (
          <>
            <BackLink href={MAIL_PATH}>Messages</BackLink>
            <PageHeading>Templates</PageHeading>
            <Table
              caption="All messages, with sample data"
              columns={['Message', 'Subject', 'To', 'Can be ended']}
              rows={KINDS.map(rowOf(deps, by.request))}
            />
          </>
        )
        return renderConsolePage(deps, by, { title: 'Templates of messages', content })
      },
      { session },
    )
    .get(
      `${PATH}/:kind`,
      function getTemplate({ authenticated: by, params: { kind } }) {
        const content = (
          <>
            <BackLink href={PATH}>Templates</BackLink>
            <PageHeading>{kindInWords(kind)}</PageHeading>
            {messageParts(sampleOf(deps, { request: by.request, kind }), `${PATH}/${kind}/html`)}
          </>
        )
        return renderConsolePage(deps, by, { title: kindInWords(kind), content }, { sources: FRAME_SOURCES })
      },
      { session, params: KindParams },
    )
    .get(
      `${PATH}/:kind/html`,
      function getTemplateHtml({ request, params: { kind } }) {
        return htmlDocument(deps, sampleOf(deps, { request, kind }))
      },
      { session, params: KindParams },
    )

const rowOf = (deps: Deps, request: Request) => (kind: MessageKind) => [
  <a href={`${PATH}/${kind}`}>{kindInWords(kind)}</a>,
  sampleOf(deps, { request, kind }).subject,
  MESSAGE_KINDS[kind].audience,
  MESSAGE_KINDS[kind].isEssential ? 'No' : 'Yes',
]

const sampleOf = ({ config }: Deps, { request, kind }: { request: Request; kind: MessageKind }): RenderedMessage =>
  renderMessage(kind, localizedValue(regionOf(siteOf(request)), SAMPLES[kind]), {
    baseUrl: config.baseUrl,
    site: siteOf(request),
    from: config.mail.from.address,
    to: 'someone@example.com',
    unsubscribeUrl: `${config.baseUrl}/unsubscribe/sample`,
  })
