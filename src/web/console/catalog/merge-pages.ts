// /console/catalog/…/merge: an operator makes a category or service part of another one.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { mergeCategory, mergeService } from '../../../features/catalog/entries/verbs/merge.ts'
import { getCategoryEntry, getServiceEntry } from '../../../features/catalog/entries/verbs/entries.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { MergeForm } from './forms.ts'
import { mergeView } from './merge-view.tsx'
import { CATEGORIES_PATH, SERVICES_PATH } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })

/** What merging is for each kind of entry. */
const KINDS = {
  category: {
    path: CATEGORIES_PATH,
    merge: mergeCategory,
    find: async (ctx: Ctx, id: string) => {
      const { catalog, category } = await getCategoryEntry(ctx, { id })
      return { entry: category, list: catalog.categories }
    },
    rule: 'The other category gets all services of this one.',
  },
  service: {
    path: SERVICES_PATH,
    merge: mergeService,
    find: async (ctx: Ctx, id: string) => {
      const { catalog, service } = await getServiceEntry(ctx, { id })
      return { entry: service, list: catalog.services }
    },
    rule: 'Pros who offer this service offer the other one, at their price. Those who offer both keep their price of the other one.',
  },
} as const

interface Merged {
  kind: keyof typeof KINDS
  id: string
}

export const mergePages = (deps: Deps) =>
  new Elysia({ name: 'catalog-merge-pages' })
    .use(guard(deps))
    .get(
      `${CATEGORIES_PATH}/:id/merge`,
      async function getCategoryMergePage({ ctx, authenticated, params: { id } }) {
        return await renderMerge(ctx, authenticated, { kind: 'category', id })
      },
      { session, params },
    )
    .post(
      `${CATEGORIES_PATH}/:id/merge`,
      async function postCategoryMerge({ ctx, authenticated, params: { id } }) {
        return await submitMerge(ctx, authenticated, { kind: 'category', id })
      },
      { session, params, form: MergeForm },
    )
    .get(
      `${SERVICES_PATH}/:id/merge`,
      async function getServiceMergePage({ ctx, authenticated, params: { id } }) {
        return await renderMerge(ctx, authenticated, { kind: 'service', id })
      },
      { session, params },
    )
    .post(
      `${SERVICES_PATH}/:id/merge`,
      async function postServiceMerge({ ctx, authenticated, params: { id } }) {
        return await submitMerge(ctx, authenticated, { kind: 'service', id })
      },
      { session, params, form: MergeForm },
    )

async function submitMerge(ctx: Ctx, by: AuthenticatedRequest, merged: Merged): Promise<Response> {
  const { path, merge } = KINDS[merged.kind]
  return await submitForm(
    MergeForm,
    by.form,
    async ({ into }) => {
      const isComplete = await merge(ctx, { by: by.session.userId, id: merged.id, into })
      return redirectWithFlash(ctx, by.session, `${path}/${into}`, mergeFlash(isComplete))
    },
    (formState) => renderMerge(ctx, by, merged, formState),
  )
}

const mergeFlash = (isComplete: boolean) => ({
  tone: 'good' as const,
  text: isComplete
    ? 'Merged. Pages and searches show it now.'
    : 'Many pros are concerned: the merge goes on by itself. Both are found until it is complete.',
})

async function renderMerge(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { kind, id }: Merged,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { path, find, rule } = KINDS[kind]
  const { entry, list } = await find(ctx, id)
  const content = mergeView({ entry, list, backPath: `${path}/${id}`, rule, session: by.session, formState })
  return renderConsolePage(ctx, by, { title: `Merge the ${kind} ${entry.name}`, content }, formStatus(formState))
}
