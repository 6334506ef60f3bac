// /console/catalog: operators add, change, order and retire categories and services.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { slugOfName } from '../../../features/catalog/entries/rules/changes.ts'
import { questionsOfLines } from '../../../features/catalog/entries/rules/questions.ts'
import { getCatalog } from '../../../features/catalog/entries/verbs/edit-catalog.ts'
import {
  addCategory,
  addService,
  changeCategory,
  changeService,
  getCategoryEntry,
  getServiceEntry,
} from '../../../features/catalog/entries/verbs/entries.ts'
import { hasSearchRefreshes } from '../../../features/catalog/entries/verbs/merge.ts'
import { listServices } from '../../../features/catalog/services/verbs/catalog.ts'
import { listActions } from '../../../features/upkeep/audit/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { linesPages } from './lines-pages.ts'
import { mergePages } from './merge-pages.ts'
import { starterPages } from './starter-pages.ts'
import { CategoryForm, NewCategoryForm, NewServiceForm, ServiceForm } from './forms.ts'
import {
  CATALOG_PATH,
  CATEGORIES_PATH,
  SERVICES_PATH,
  catalogView,
  categoryView,
  newCategoryView,
  newServiceView,
  serviceView,
} from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const NewServiceQuery = Type.Object({ categoryId: Type.Optional(Uuid()) })

export const catalogPages = (deps: Deps) =>
  new Elysia({ name: 'catalog-pages' })
    .use(guard(deps))
    .get(
      CATALOG_PATH,
      async function getCatalogPage({ ctx, authenticated: by }) {
        const [catalog, { services }] = await Promise.all([getCatalog(ctx), listServices(ctx, {})])
        const pros = new Map(services.map(({ id, professionalCount }) => [id, professionalCount]))
        return renderConsolePage(ctx, by, { title: 'Catalog', content: catalogView(catalog, pros) })
      },
      { session },
    )
    .use(categoryPages(deps))
    .use(servicePages(deps))
    .use(mergePages(deps))
    .use(starterPages(deps))
    .use(linesPages(deps))

const categoryPages = (deps: Deps) =>
  new Elysia({ name: 'catalog-category-pages' })
    .use(guard(deps))
    .get(
      `${CATEGORIES_PATH}/new`,
      function getNewCategoryPage({ ctx, authenticated }) {
        return renderNewCategory(ctx, authenticated)
      },
      { session },
    )
    .post(
      `${CATEGORIES_PATH}/new`,
      async function postNewCategory({ ctx, authenticated: by }) {
        return await submitForm(
          NewCategoryForm,
          by.form,
          async (input) => {
            const id = await addCategory(ctx, { by: by.session.userId, ...namesIn(input), active: true })
            const text = `${input.name} is added. People see it once it has a service.`
            return redirectWithFlash(ctx, by.session, `${CATEGORIES_PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderNewCategory(ctx, by, formState),
        )
      },
      { session, form: NewCategoryForm },
    )
    .get(
      `${CATEGORIES_PATH}/:id`,
      async function getCategoryPage({ ctx, authenticated, params: { id } }) {
        return await renderCategory(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${CATEGORIES_PATH}/:id`,
      async function postCategory({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          CategoryForm,
          by.form,
          async (input) => {
            const changes = { ...namesIn(input), ...placingIn(input) }
            const isChanged = await changeCategory(ctx, { by: by.session.userId, id, ...changes })
            return redirectWithFlash(ctx, by.session, `${CATEGORIES_PATH}/${id}`, await savedFlash(ctx, isChanged))
          },
          (formState) => renderCategory(ctx, by, id, formState),
        )
      },
      { session, params, form: CategoryForm },
    )

const servicePages = (deps: Deps) =>
  new Elysia({ name: 'catalog-service-pages' })
    .use(guard(deps))
    .get(
      `${SERVICES_PATH}/new`,
      async function getNewServicePage({ ctx, authenticated, query }) {
        return await renderNewService(ctx, authenticated, EMPTY_FORM, query.categoryId)
      },
      { session, query: NewServiceQuery },
    )
    .post(
      `${SERVICES_PATH}/new`,
      async function postNewService({ ctx, authenticated: by }) {
        return await submitForm(
          NewServiceForm,
          by.form,
          async (input) => {
            const fields = { ...detailsIn(input), ...namesIn(input), active: true }
            const id = await addService(ctx, { by: by.session.userId, ...fields })
            const text = `${input.name} is added. Pros can offer it now; searches find those who do.`
            return redirectWithFlash(ctx, by.session, `${SERVICES_PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderNewService(ctx, by, formState),
        )
      },
      { session, form: NewServiceForm },
    )
    .get(
      `${SERVICES_PATH}/:id`,
      async function getServicePage({ ctx, authenticated, params: { id } }) {
        return await renderService(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${SERVICES_PATH}/:id`,
      async function postService({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ServiceForm,
          by.form,
          async (input) => {
            const changes = { ...detailsIn(input), ...namesIn(input), ...placingIn(input) }
            const isChanged = await changeService(ctx, { by: by.session.userId, id, ...changes })
            return redirectWithFlash(ctx, by.session, `${SERVICES_PATH}/${id}`, await savedFlash(ctx, isChanged))
          },
          (formState) => renderService(ctx, by, id, formState),
        )
      },
      { session, params, form: ServiceForm },
    )

const namesIn = ({ name, slug = '', synonyms = '' }: Static<typeof NewCategoryForm>) => ({
  name,
  slug: slug === '' ? slugOfName(name) : slug,
  synonyms: synonyms.split('\n'),
})

const placingIn = ({ place, status, seen }: Static<typeof CategoryForm>) => ({
  after: place === 'first' ? null : place,
  active: status === 'offered',
  seen,
})

const detailsIn = ({
  categoryId,
  description,
  priceType,
  unit,
  durationMinutes,
  atCustomer,
  questions = '',
}: Static<typeof NewServiceForm>) => ({
  categoryId,
  description: description ?? null,
  priceType,
  unit: unit ?? null,
  durationMinutes,
  atCustomer,
  questions: questionsOfLines(questions),
})

const savedFlash = async (ctx: Ctx, isChanged: boolean) => ({
  tone: 'good' as const,
  text: !isChanged
    ? 'Nothing was changed: all of it was so before.'
    : (await hasSearchRefreshes(ctx))
      ? 'Saved. Many pros are concerned: searches show it with one after the other.'
      : 'Saved. Pages and searches show it now.',
})

function renderNewCategory(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Response {
  const content = newCategoryView({ session: by.session, formState })
  return renderConsolePage(ctx, by, { title: 'New category', content }, formStatus(formState))
}

async function renderNewService(
  ctx: Ctx,
  by: AuthenticatedRequest,
  formState = EMPTY_FORM,
  categoryId?: string,
): Promise<Response> {
  const content = newServiceView({ catalog: await getCatalog(ctx), session: by.session, formState }, categoryId)
  return renderConsolePage(ctx, by, { title: 'New service', content }, formStatus(formState))
}

async function renderCategory(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const [{ catalog, category }, actions] = await Promise.all([
    getCategoryEntry(ctx, { id }),
    listActions(ctx, { subjectId: id }),
  ])
  const content = categoryView({ catalog, session: by.session, formState }, category, actions)
  return renderConsolePage(ctx, by, { title: `Category ${category.name}`, content }, formStatus(formState))
}

async function renderService(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const [{ catalog, service }, actions] = await Promise.all([
    getServiceEntry(ctx, { id }),
    listActions(ctx, { subjectId: id }),
  ])
  const content = serviceView({ catalog, session: by.session, formState }, service, actions)
  return renderConsolePage(ctx, by, { title: `Service ${service.name}`, content }, formStatus(formState))
}
