/** @jsxImportSource preact */
// /console/test-mode: switches the developer's pages to test mode, lists its pros, and deletes its data.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import {
  type TestData,
  deleteTestData,
  enterTestMode,
  findTestMode,
  leaveTestMode,
} from '../../features/upkeep/test-mode/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, accountOf } from '../../http/session.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { plural } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { ActionButton } from '../ui/form.tsx'
import { Disclosure } from '../ui/buttons.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { runAction, runFormAction } from '../ui/submit.ts'

const PATH = '/console/test-mode'
const session = ['developer', 'pro'] as const

const SwitchForm = Type.Object({ state: OneOf(['on', 'off']) })

export const testModePages = (deps: Deps) =>
  new Elysia({ name: 'test-mode-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getTestMode({ ctx, authenticated: by }) {
        const content = testModeView(by.session, await findTestMode(ctx, { accountId: accountOf(by).accountId }))
        return renderConsolePage(ctx, by, { title: 'Test mode', content })
      },
      { session },
    )
    .post(
      PATH,
      async function postTestMode({ ctx, authenticated: by }) {
        return await runFormAction(ctx, by, PATH, SwitchForm, async ({ state }) => {
          if (state === 'on') {
            await enterTestMode(ctx.as(ownerOf(by)))
            return 'Test mode is on. Keys, webhooks and usage are now those of test mode.'
          }
          await leaveTestMode(ctx, by.session)
          return 'Test mode is off. Keys, webhooks and usage are live again.'
        })
      },
      { session, form: SwitchForm },
    )
    .post(
      `${PATH}/delete`,
      async function postTestDataDeletion({ ctx, authenticated: by }) {
        return await runAction(ctx, by, PATH, async () => {
          const { bookings, requests, reviews } = await deleteTestData(ctx, { ownerEmail: accountOf(by).accountEmail })
          return `Deleted: ${plural(bookings, 'booking')}, ${plural(requests, 'request')}, ${plural(reviews, 'review')}. The test pros are as they were made.`
        })
      },
      { session },
    )

const ownerOf = (by: AuthenticatedRequest) => ({ ownerEmail: accountOf(by).accountEmail, token: by.session.token })

function testModeView(by: Session, mode: TestData | undefined): VNode {
  const isOn = by.testAccountId !== null
  return (
    <>
      <PageHeading>Test mode</PageHeading>
      <p class="lead">
        Test keys find three pros of your own. You can book them, pay, cancel and review: no visit takes place, no
        e-mail is sent and no money moves. Your live keys and your customers see nothing of it.
      </p>
      <p>
        While test mode is on, <a href="/console/keys">API keys</a>, <a href="/console/webhooks">webhooks</a> and{' '}
        <a href="/console/usage">usage</a> are those of test mode. Events of test bookings go to endpoints of test mode
        only.
      </p>
      {!isOn && (
        <ActionButton session={by} action={PATH} fields={{ state: 'on' }} label="Turn on test mode" look="plain" />
      )}
      {mode && [testPros(mode), testData(by, mode)]}
    </>
  )
}

const testPros = ({ pros }: TestData): VNode => (
  <Section title="Your test pros">
    <Table
      caption="Test pros"
      columns={['Pro', 'Id']}
      rows={pros.map(({ id, slug, businessName }) => [
        <div>
          <a href={`/pros/${slug}`}>{businessName}</a>
        </div>,
        <code>{id}</code>,
      ])}
    />
    <p class="hint">Everyone who has the link of a test pro can open its page and book it there.</p>
  </Section>
)

const testData = (by: Session, { bookings, requests, reviews }: TestData): VNode => (
  <Section title="Test data">
    <p>
      {plural(bookings, 'booking')}, {plural(requests, 'request')}, {plural(reviews, 'review')}
    </p>
    <Disclosure label="Delete all test data">
      <p>
        Bookings, payments, requests, quotes, jobs and reviews of your test pros are deleted, and so are webhook
        deliveries of test mode. The pros get back the services, prices and hours with which they were made. Keys and
        endpoints stay. You cannot undo this.
      </p>
      <ActionButton session={by} action={`${PATH}/delete`} label="Delete all test data" look="danger" />
    </Disclosure>
  </Section>
)
