// /console/mail: an operator sees what was sent to whom, and what was not.
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { MessageParams, MessagesQuery } from '../../../features/messages/messages/schemas.ts'
import {
  liftSuppression,
  listMessages,
  resendMessage,
  viewMessage,
} from '../../../features/messages/messages/verbs/message-log.ts'
import { guard } from '../../../http/guard.ts'
import { Email, OneOf } from '../../../platform/schema/types.ts'
import { renderConsolePage } from '../../ui/responses.tsx'
import { runAction, runFormAction } from '../../ui/submit.ts'
import { FRAME_SOURCES, htmlDocument } from './html-document.tsx'
import { MAIL_PATH, messageListView, messageView } from './view.tsx'

const session = ['operator'] as const
const LiftForm = Type.Object({ email: Email(), reason: OneOf(['bounced', 'unsubscribed']) })

export const mailPages = (deps: Deps) =>
  new Elysia({ name: 'mail-pages' })
    .use(guard(deps))
    .get(
      MAIL_PATH,
      async function getMessages({ ctx, authenticated: by, query }) {
        const { messages, meta } = await listMessages(ctx, query)
        const content = messageListView({ messages, meta, query, isMailbox: ctx.config.mail.server === undefined })
        return renderConsolePage(ctx, by, { title: 'Messages', content })
      },
      { session, query: MessagesQuery },
    )
    .get(
      `${MAIL_PATH}/:id`,
      async function getMessage({ ctx, authenticated: by, params: { id } }) {
        const viewed = await viewMessage(ctx, { id: Number(id) })
        const page = {
          title: viewed.content?.subject ?? kindInWords(viewed.message.kind),
          content: messageView(by.session, viewed),
        }
        return renderConsolePage(ctx, by, page, { sources: FRAME_SOURCES })
      },
      { session, params: MessageParams },
    )
    .get(
      `${MAIL_PATH}/:id/html`,
      async function getMessageHtml({ ctx, params: { id } }) {
        const { content } = await viewMessage(ctx, { id: Number(id) })
        if (!content) throw new AppError('not_found', 'The content of this message is not kept.')
        return htmlDocument(ctx, content)
      },
      { session, params: MessageParams },
    )
    .get(
      `${MAIL_PATH}/:id/source`,
      async function getMessageSource({ ctx, params: { id } }) {
        const { source } = await viewMessage(ctx, { id: Number(id) })
        if (source === undefined) throw new AppError('not_found', 'The source of this message is not kept.')
        return new Response(source, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
      },
      { session, params: MessageParams },
    )
    .post(
      `${MAIL_PATH}/:id/send`,
      async function postMessage({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${MAIL_PATH}/${id}`, async () => {
          await resendMessage(ctx, { id: Number(id), by: by.session.userId })
          return 'The message is being sent.'
        })
      },
      { session, params: MessageParams },
    )
    .post(
      `${MAIL_PATH}/:id/lift`,
      async function postLift({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, `${MAIL_PATH}/${id}`, LiftForm, async ({ email, reason }) => {
          const isLifted = await liftSuppression(ctx, { email, reason, by: by.session.userId })
          return isLifted ? `Messages to ${email} are sent again.` : `Messages to ${email} were not held back.`
        })
      },
      { session, params: MessageParams, form: LiftForm },
    )
