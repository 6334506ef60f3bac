// list_services: GET /services for a model: what pros offer in a place, in shorter pages.
import { Type } from '@sinclair/typebox'

import { ServicesQuery } from '../../features/catalog/services/schemas.ts'
import { listServices as listAll } from '../../features/catalog/services/verbs/catalog.ts'
import { pageMeta, PageMeta, pageOf } from '../../platform/schema/paging.ts'
import { nextPage, page, withDefaultLimit } from '../server/results.ts'
import { defineOpenTool, described } from '../server/tool.ts'
import { BriefQuestion, briefQuestion } from './brief-question.ts'
import { Natural } from '../../platform/schema/numbers.ts'

const { q: name, categoryId, city, state } = ServicesQuery.properties

export const listServices = defineOpenTool({
  name: 'list_services',
  title: 'List services',
  description:
    'Turns the person’s words into a service: those that pros offer there, most pros first; `id` is the serviceId. Next: search_pros.',
  access: 'read',
  input: Type.Object(
    {
      q: described(name, 'Part of a name or synonym, or a problem'),
      category: described(categoryId),
      city: described(city, 'With or without its state'),
      state: described(state, 'Code or name'),
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    services: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        category: Type.String(),
        pros: Natural(),
        questions: Type.Optional(Type.Array(BriefQuestion)),
      }),
    ),
    meta: Type.Object({
      ...PageMeta.properties,
      isUnderstood: Type.Boolean(),
    }),
  }),
  call: async (ctx, { category, limit, offset, ...query }) => {
    const paging = withDefaultLimit({ ...(limit ? { limit } : {}), offset: offset ?? 0 })
    const chosen = category === undefined ? query : { ...query, categoryId: category }
    const { services, categories } = await listAll(ctx, chosen)
    const offered = services
      .filter(({ professionalCount }) => professionalCount > 0)
      .toSorted((one, other) => other.professionalCount - one.professionalCount)
    const { limit: length, offset: start } = pageOf(paging)
    return {
      services: offered.slice(start, start + length).map(({ id, name, category, professionalCount, questions }) => ({
        id,
        name,
        category: category.name,
        pros: professionalCount,
        ...(questions.length > 0 && { questions: questions.map(briefQuestion) }),
      })),
      meta: { ...pageMeta(offered.length, paging), isUnderstood: categories.length > 0 },
    }
  },
  next: ({ services, meta }) =>
    services.length > 0
      ? nextPage(meta)
      : meta.isUnderstood
        ? 'No pro offers that there. Leave out q and category to see what is offered, or try another place.'
        : 'No such service is known. Leave out q and category to see what is offered.',
})
