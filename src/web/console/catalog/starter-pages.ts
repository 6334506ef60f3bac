// /console/catalog/starter: an operator adds services of the starter set to the catalog.
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { starterServicesIn } from '../../../features/catalog/entries/rules/starter.ts'
import { addStarters, listStarters } from '../../../features/catalog/entries/verbs/starter.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { plural } from '../../../platform/text/format.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { StarterForm } from './forms.ts'
import { starterView } from './starter-view.tsx'
import { CATALOG_PATH, STARTER_PATH } from './view.tsx'

const session = ['operator'] as const

export const starterPages = (deps: Deps) =>
  new Elysia({ name: 'catalog-starter-pages' })
    .use(guard(deps))
    .get(
      STARTER_PATH,
      async function getStarterPage({ ctx, authenticated }) {
        return await renderStarters(ctx, authenticated)
      },
      { session },
    )
    .post(
      STARTER_PATH,
      async function postStarters({ ctx, authenticated: by }) {
        return await submitForm(
          StarterForm,
          by.form,
          async ({ all, category, service }) => {
            const categories = all === undefined ? category : (await listStarters(ctx)).map(({ trade }) => trade.slug)
            const services = starterServicesIn({ categories, services: service })
            const changes = await addStarters(ctx, { by: by.session.userId, services })
            const added = changes.filter(({ kind }) => kind === 'service').length
            const text =
              added === 0
                ? 'Nothing was added: the catalog has all of it.'
                : `${plural(added, 'service')} added. Pros can offer ${added === 1 ? 'it' : 'them'} now.`
            return redirectWithFlash(ctx, by.session, CATALOG_PATH, { tone: 'good', text })
          },
          (formState) => renderStarters(ctx, by, formState),
        )
      },
      { session, form: StarterForm },
    )

async function renderStarters(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const content = starterView(await listStarters(ctx), { session: by.session, formState })
  return renderConsolePage(ctx, by, { title: 'Starter set', content }, formStatus(formState))
}
