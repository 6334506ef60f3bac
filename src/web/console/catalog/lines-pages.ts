// /console/catalog/lines: an operator pastes services as lines, sees what would change, and adds them.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { FieldError } from '../../../errors/kind.ts'
import type { CatalogChange } from '../../../features/catalog/entries/schemas.ts'
import { addLines } from '../../../features/catalog/entries/verbs/add-lines.ts'
import { getCatalog } from '../../../features/catalog/entries/verbs/edit-catalog.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { LinesForm } from './forms.ts'
import { type LinesPreview, linesView } from './lines-view.tsx'
import { CATEGORIES_PATH, LINES_PATH } from './view.tsx'

const session = ['operator'] as const
const query = Type.Object({ categoryId: Type.Optional(Uuid()) })

export const linesPages = (deps: Deps) =>
  new Elysia({ name: 'catalog-lines-pages' })
    .use(guard(deps))
    .get(
      LINES_PATH,
      async function getLinesPage({ ctx, authenticated, query }) {
        return await renderLines(ctx, authenticated, { categoryId: query.categoryId })
      },
      { session, query },
    )
    .post(
      LINES_PATH,
      async function postLines({ ctx, authenticated: by }) {
        return await submitForm(
          LinesForm,
          by.form,
          (input) => preview(ctx, by, input),
          (formState) => renderLines(ctx, by, { formState }),
        )
      },
      { session, form: LinesForm },
    )

/** Shows what would change, and does it once the operator has seen that. */
async function preview(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { categoryId, lines, seen }: Static<typeof LinesForm>,
): Promise<Response> {
  // As it was typed: empty lines before the first one count.
  const input = { by: by.session.userId, categoryId, text: by.form.get('lines') ?? lines }
  try {
    const changes = await addLines(ctx, { ...input, isDryRun: true })
    const version = versionOf(changes)
    if (seen !== version || changes.length === 0)
      return await renderLines(ctx, by, {
        formState: { values: by.form, errors: {}, status: 200 },
        shown: { changes, version },
      })
    const done = await addLines(ctx, input)
    const added = done.filter(({ isNew }) => isNew).length
    const text = `${plural(added, 'service')} added, ${done.length - added} changed.`
    return redirectWithFlash(ctx, by.session, `${CATEGORIES_PATH}/${categoryId}`, { tone: 'good', text })
  } catch (error) {
    const faults = error instanceof AppError ? (error.errors ?? []).filter(({ path }) => path.startsWith('lines.')) : []
    if (faults.length === 0) throw error
    return await renderLines(ctx, by, {
      formState: {
        values: by.form,
        errors: { lines: `${plural(faults.length, 'line')} cannot be read, so nothing was added` },
      },
      faults,
    })
  }
}

/** Of what would change. The ids of new services are not known yet. */
const versionOf = (changes: readonly CatalogChange[]): string =>
  Bun.hash(JSON.stringify(changes.map(({ name, isNew, fields }) => ({ name, isNew, fields })))).toString(36)

interface Shown {
  categoryId?: string | undefined
  formState?: FormState
  shown?: LinesPreview
  faults?: readonly FieldError[]
}

async function renderLines(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { categoryId, formState = EMPTY_FORM, shown, faults = [] }: Shown,
): Promise<Response> {
  const page = { catalog: await getCatalog(ctx), categoryId, session: by.session, formState, shown, faults }
  return renderConsolePage(ctx, by, { title: 'Paste services', content: linesView(page) }, formStatus(formState))
}
