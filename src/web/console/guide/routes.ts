// /console/guide: from a new marketplace to an open one. Steps that need a form of their own elsewhere lead there.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { manageUrl } from '../../../features/booking/bookings/verbs/manage-link.ts'
import { sendTestMail } from '../../../features/messages/messages/verbs/test-mail.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { MailFailure } from '../../../platform/mail/mail-failure.ts'
import { waitOutside } from '../../../platform/net/outside.ts'
import type { VNode } from 'preact'
import type { Flash } from '../../ui/flash.tsx'
import { GUIDE_PATH, type GuideFacts, OPEN_STEP } from '../../ui/guide-steps.ts'
import { renderConsolePage } from '../../ui/responses.tsx'
import { runAction } from '../../ui/submit.ts'
import { readGuideFacts } from './facts.ts'
import { bookingView, guideView, mailView, openView, paymentsView } from './view.tsx'

const session = ['operator'] as const
const MAIL_STEP = `${GUIDE_PATH}/mail`

export const guidePages = (deps: Deps) =>
  new Elysia({ name: 'guide-pages' })
    .use(guard(deps))
    .get(
      GUIDE_PATH,
      async function getGuide({ ctx, authenticated: by }) {
        return await render(ctx, by, 'Guide', guideView)
      },
      { session },
    )
    .get(
      MAIL_STEP,
      async function getMailStep({ ctx, authenticated: by }) {
        return await render(ctx, by, 'Sending mail', (facts) => mailView(by.session, facts, ctx.config.mail.from))
      },
      { session },
    )
    .post(
      MAIL_STEP,
      async function postTestMail({ ctx, authenticated: by }) {
        return await runAction(ctx, by, MAIL_STEP, () => testMail(ctx, by.session.email))
      },
      { session },
    )
    .get(
      `${GUIDE_PATH}/payments`,
      async function getPaymentsStep({ ctx, authenticated: by }) {
        return await render(ctx, by, 'How pros are paid', paymentsView)
      },
      { session },
    )
    .get(
      `${GUIDE_PATH}/booking`,
      async function getBookingStep({ ctx, authenticated: by }) {
        const manageLink = (bookingId: string) => manageUrl(ctx, { bookingId })
        return await render(ctx, by, 'Test booking', (facts) => bookingView(by.session, facts, manageLink))
      },
      { session },
    )
    .get(
      OPEN_STEP,
      async function getOpenStep({ ctx, authenticated: by }) {
        return await render(ctx, by, 'Opening', (facts) => openView(by.session, facts))
      },
      { session },
    )

async function render(
  ctx: Ctx,
  by: AuthenticatedRequest,
  title: string,
  view: (facts: GuideFacts) => VNode,
): Promise<Response> {
  return renderConsolePage(ctx, by, { title, content: view(await readGuideFacts(ctx, by)) })
}

/** Waits for the mail server, so that the page says what it answers. */
async function testMail(ctx: Ctx, to: string): Promise<Flash> {
  try {
    const answer = await waitOutside(() => sendTestMail(ctx, { to }))
    return { tone: 'good', text: `A test mail to ${to} is on its way: ${answer}` }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { tone: 'bad', text: `The test mail was not sent: ${error.message}. To mend it: ${error.remedy}.` }
  }
}
