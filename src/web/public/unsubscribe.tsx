/** @jsxImportSource preact */
// /unsubscribe/{token}: a recipient ends messages that are not essential, on the page or by their mail program (RFC 8058).
import { SiteName } from '../ui/site.tsx'
import { Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Form } from '../ui/form.tsx'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import type { Deps } from '../../deps.ts'
import { getSubscription, setSubscription } from '../../features/messages/messages/verbs/message-log.ts'
import { readForm, validFields } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { redirect, renderPersonalPage } from '../ui/responses.tsx'

const PATH = '/unsubscribe/:token'

/** The page says what is wanted; a mail program does not. */
const MessagesForm = defineForm({ messages: { schema: Type.Optional(OneOf(['end', 'resume'])) } })

export const unsubscribePages = (deps: Deps) =>
  new Elysia({ name: 'unsubscribe-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getUnsubscribePage({ ctx, request, params: { token } }) {
        const { email, isSubscribed } = await getSubscription(ctx, { token })
        const content = pageOf(token, email, isSubscribed)
        return renderPersonalPage(request, { title: 'Messages', content })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      // A mail program sends `List-Unsubscribe=One-Click`, in either coding of forms, and follows no redirect.
      async function postUnsubscription({ ctx, request, params: { token } }) {
        const isMultipart = request.headers.get('content-type')?.startsWith('multipart/form-data')
        const wanted = isMultipart ? undefined : validFields(MessagesForm, await readForm(ctx, request)).messages
        await setSubscription(ctx, { token, isSubscribed: wanted === 'resume' })
        return wanted === undefined
          ? new Response('Unsubscribed.\n', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
          : redirect(`/unsubscribe/${encodeURIComponent(token)}`)
      },
      { access: publicPage, form: MessagesForm },
    )

const pageOf = (token: string, email: string, isSubscribed: boolean) => (
  <div class="narrow">
    <h1>
      Messages from <SiteName />
    </h1>
    <p>
      {isSubscribed ? (
        <>
          <strong>{email}</strong> gets reminders, invitations to review and the like.
        </>
      ) : (
        <>
          <strong>{email}</strong> gets no more reminders, invitations to review and the like.
        </>
      )}
    </p>
    <p class="hint">Confirmations, changes and cancellations of bookings, and quotes, are always sent.</p>
    <Form of={MessagesForm} action={`/unsubscribe/${token}`}>
      <Fields of={MessagesForm} values={{ messages: isSubscribed ? 'end' : 'resume' }} />
      <Button>{isSubscribed ? 'Unsubscribe' : 'Send them again'}</Button>
    </Form>
  </div>
)
