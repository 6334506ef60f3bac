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

export const mergePages = (deps: Deps) =>
  new Elysia({ name: 'catalog-merge-pages' })
    .use(guard(deps))
    .get(
      `${CATEGORIES_PATH}/:id/merge`,
      async function getCategoryMergePage({ ctx, authenticated, params: { id } }) {
        return await renderCategoryMerge(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${CATEGORIES_PATH}/:id/merge`,
      async function postCategoryMerge({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          MergeForm,
          by.form,
          async ({ into }) => {
            const isComplete = await mergeCategory(ctx, { by: by.session.userId, id, into })
            return redirectWithFlash(ctx, by.session, `${CATEGORIES_PATH}/${into}`, mergeFlash(isComplete))
          },
          (formState) => renderCategoryMerge(ctx, by, id, formState),
        )
      },
      { session, params, form: MergeForm },
    )
    .get(
      `${SERVICES_PATH}/:id/merge`,
      async function getServiceMergePage({ ctx, authenticated, params: { id } }) {
        return await renderServiceMerge(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${SERVICES_PATH}/:id/merge`,
      async function postServiceMerge({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          MergeForm,
          by.form,
          async ({ into }) => {
            const isComplete = await mergeService(ctx, { by: by.session.userId, id, into })
            return redirectWithFlash(ctx, by.session, `${SERVICES_PATH}/${into}`, mergeFlash(isComplete))
          },
          (formState) => renderServiceMerge(ctx, by, id, formState),
        )
      },
      { session, params, form: MergeForm },
    )

const mergeFlash = (isComplete: boolean) => ({
  tone: 'good' as const,
  text: isComplete
    ? 'Merged. Pages and searches show it now.'
    : 'Many pros are concerned: the merge goes on by itself. Both are found until it is complete.',
})

async function renderCategoryMerge(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { catalog, category } = await getCategoryEntry(ctx, { id })
  const content = mergeView({
    entry: category,
    list: catalog.categories,
    backPath: `${CATEGORIES_PATH}/${id}`,
    rule: 'The other category gets all services of this one.',
    session: by.session,
    formState,
  })
  return renderConsolePage(ctx, by, { title: `Merge the category ${category.name}`, content }, formStatus(formState))
}

async function renderServiceMerge(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { catalog, service } = await getServiceEntry(ctx, { id })
  const content = mergeView({
    entry: service,
    list: catalog.services,
    backPath: `${SERVICES_PATH}/${id}`,
    rule: 'Pros who offer this service offer the other one, at their price. Those who offer both keep their price of the other one.',
    session: by.session,
    formState,
  })
  return renderConsolePage(ctx, by, { title: `Merge the service ${service.name}`, content }, formStatus(formState))
}
