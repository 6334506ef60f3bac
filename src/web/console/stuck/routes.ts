// /console/stuck: failing webhook endpoints, messages that did not arrive and dead letters, each with the button that helps.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import {
  discardLetter,
  getLetter,
  listLetters,
  sendLetterAgain,
  sendLettersAgain,
} from '../../../features/upkeep/dead-letters/verbs.ts'
import { countStuck, listUndelivered } from '../../../features/upkeep/stuck/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { type PageMeta, type PageQuery, pageOf, pageParameters } from '../../../platform/schema/paging.ts'
import { OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import { listFailingEndpoints, resumeEndpoint } from '../../../webhooks/endpoints/verbs/failing-endpoints.ts'
import type { Flash } from '../../ui/flash.tsx'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, runFormAction, submitForm } from '../../ui/submit.ts'
import { DiscardForm, discardView } from './discard-view.tsx'
import { PARTS, type Part, STUCK_PATH as PATH, type Shown, stuckView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const query = Type.Object({ part: Type.Optional(OneOf(PARTS)), ...pageParameters })
const WorkerForm = Type.Object({ worker: Text(100) })

export const stuckPages = (deps: Deps) =>
  new Elysia({ name: 'stuck-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getStuck({ ctx, authenticated: by, query: { part, ...page } }) {
        const content = stuckView(by.session, await readShown(ctx, part, page))
        return renderConsolePage(ctx, by, { title: 'What is stuck', content, styles: ['operator.css'] })
      },
      { session, query },
    )
    .post(
      `${PATH}/endpoints/:id`,
      async function postEndpointResumed({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          const { again } = await resumeEndpoint(ctx, { id, by: by.session.userId })
          return again === 0
            ? 'The endpoint is on. It gets the next event.'
            : `The endpoint is on, and ${plural(again, 'delivery is', 'deliveries are')} being sent again.`
        })
      },
      { session, params },
    )
    .use(letterPages(deps))

const letterPages = (deps: Deps) =>
  new Elysia({ name: 'dead-letter-pages' })
    .use(guard(deps))
    .post(
      `${PATH}/letters`,
      async function postLetters({ ctx, authenticated: by }) {
        return await runFormAction(ctx, by, PATH, WorkerForm, async ({ worker }) => {
          const sent = await sendLettersAgain(ctx, { actor: worker, by: by.session.userId })
          return sent === 0
            ? NOTHING_TO_TRY
            : `${plural(sent, 'dead letter is', 'dead letters are')} being tried again.`
        })
      },
      { session, form: WorkerForm },
    )
    .post(
      `${PATH}/letters/:id`,
      async function postLetter({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () =>
          (await sendLetterAgain(ctx, { id, by: by.session.userId }))
            ? 'It is being tried again. It leaves this page once it is done.'
            : NOTHING_TO_TRY,
        )
      },
      { session, params },
    )
    .get(
      `${PATH}/letters/:id/discard`,
      async function getLetterDiscard({ ctx, authenticated, params: { id } }) {
        return await renderDiscard(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/letters/:id/discard`,
      async function postLetterDiscard({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          DiscardForm,
          by.form,
          async ({ reason }) => {
            const isDiscarded = await discardLetter(ctx, { id, reason, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, PATH, isDiscarded ? DISCARDED : GONE)
          },
          (formState) => renderDiscard(ctx, by, id, formState),
        )
      },
      { session, params, form: DiscardForm },
    )

const NOTHING_TO_TRY: Flash = { tone: 'good', text: 'It is being tried again already.' }
const DISCARDED: Flash = { tone: 'good', text: 'The dead letter is discarded.' }
const GONE: Flash = { tone: 'good', text: 'This dead letter was handled or discarded already. Nothing is changed.' }

async function renderDiscard(ctx: Ctx, by: AuthenticatedRequest, id: string, formState = EMPTY_FORM) {
  const content = discardView(by.session, await getLetter(ctx, { id }), formState)
  return renderConsolePage(ctx, by, { title: 'Discard a dead letter', content }, formStatus(formState))
}

/** The beginning of each part, or a page of one. */
async function readShown(ctx: Ctx, part: Part | undefined, query: PageQuery): Promise<Shown> {
  const page = part === undefined ? pageOf({}) : pageOf(query)
  const listOf = async <Row>(of: Part, read: (ctx: Ctx, page: typeof FIRST) => Promise<Row[]>) =>
    part === undefined || part === of
      ? pageOfRows(await read(ctx, { ...page, limit: page.limit + 1 }), page)
      : undefined
  const [counts, endpoints, messages, letters] = await Promise.all([
    countStuck(ctx),
    listOf('endpoints', listFailingEndpoints),
    listOf('messages', listUndelivered),
    listOf('letters', listLetters),
  ])
  return { part, counts, endpoints, messages, letters, now: ctx.clock.now() }
}

const FIRST = pageOf({})

/** `rows` has one more than the page if there are further ones. */
function pageOfRows<Row>(rows: Row[], { limit, offset }: typeof FIRST): { rows: Row[]; meta: PageMeta } {
  const meta = { total: offset + rows.length, limit, offset, hasMore: rows.length > limit }
  return { rows: rows.slice(0, limit), meta }
}
