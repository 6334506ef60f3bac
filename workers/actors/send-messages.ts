// Sends e-mail to people. PostgreSQL holds what is due. Any number of processes may run concurrently.
import { oncePerDeps } from '../../src/deps.ts'
import { sendInvitations } from '../../src/features/business/imports/verbs/invitations.ts'
import { deleteExcessMail } from '../../src/features/messages/messages/verbs/mailbox.ts'
import { getMessageBacklog } from '../../src/features/messages/messages/verbs/message-log.ts'
import { MessageSender, type MessageStatus } from '../../src/features/messages/messages/verbs/send-messages.ts'
import { defineActor } from '../runtime/actor.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { runActor } from '../runtime/process.ts'

const senderOf = oncePerDeps((deps) => new MessageSender(deps))

/** In a batch. The password of each new log-in takes a while to hash. */
const INVITATIONS = 20

const RESULTS = ['sent', 'pending', 'failed', 'suppressed', 'dropped', 'joined'] as const satisfies MessageStatus[]

export const sendMessages = defineActor({
  name: 'send-messages',
  periodic: [
    { name: 'send', everyMs: 1000, due: 'messages', run: ({ ctx }) => senderOf(ctx).run() },
    {
      name: 'invitations',
      everyMs: 1000,
      due: 'invitations',
      run: async ({ ctx }) => {
        const sent = await sendInvitations(ctx, { limit: INVITATIONS })
        return sent === 0 ? 'nothing' : sent === INVITATIONS
      },
    },
    {
      name: 'mailbox',
      everyMs: 60_000,
      run: async ({ ctx }) => ((await deleteExcessMail(ctx)) === 0 ? 'nothing' : false),
    },
  ],
  open: (context) => {
    registerGauges(context, () => getMessageBacklog(context.ctx), {
      due: ['hearth_messages_due', 'Messages that are due'],
      oldestSeconds: ['hearth_messages_lag_seconds', 'How long the first of them has been due'],
      held: ['hearth_messages_held', 'Messages behind one to the same recipient that its mail server put off'],
      retrying: ['hearth_messages_retrying', 'Messages whose last attempt failed'],
    })
    for (const result of RESULTS)
      context.metrics.counter(
        'hearth_messages_total',
        'Attempts of this process by result; pending ones are repeated later',
        () => senderOf(context.deps).totals[result],
        { result },
      )
  },
  close: ({ ctx }) => senderOf(ctx).close(),
})

if (import.meta.main) await runActor(sendMessages)
