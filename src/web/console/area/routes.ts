// /console/area: operators say where the marketplace serves, as places with a distance, and see what lies within before they save it.
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidFields } from '../../../errors/app-error.ts'
import { type Served, listServed } from '../../../features/catalog/services/verbs/served.ts'
import { type Circle, MAX_CIRCLE_MILES } from '../../../features/upkeep/marketplace/schemas.ts'
import { findCircles, getRegion, updateMarketplace } from '../../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import type { Region } from '../../../platform/text/region.ts'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { readSite } from '../../ui/site.tsx'
import { submitForm } from '../../ui/submit.ts'
import { districtPages } from './districts.tsx'
import { AREA_PATH as PATH, AreaForm, areaView } from './view.tsx'

const session = ['operator'] as const

export const areaPages = (deps: Deps) =>
  new Elysia({ name: 'area-pages' })
    .use(guard(deps))
    .use(districtPages(deps))
    .get(
      PATH,
      async function getAreaPage({ ctx, authenticated }) {
        return await renderArea(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postArea({ ctx, authenticated: by }) {
        return await submitForm(
          AreaForm,
          by.form,
          (input) => previewOrSave(ctx, by, input),
          (formState) => renderArea(ctx, by, { formState }),
        )
      },
      { session, form: AreaForm },
    )

/** Shows what would lie in the area, and saves it once the operator has seen that. */
async function previewOrSave(ctx: Ctx, by: AuthenticatedRequest, input: Static<typeof AreaForm>): Promise<Response> {
  const area = await readCircles(ctx, input)
  const seen = Bun.hash(JSON.stringify(area)).toString(36)
  if (input.seen !== seen && area.length > 0) {
    const shown = { area, seen, served: await listServed(ctx, { area }) }
    return await renderArea(ctx, by, { formState: { values: by.form, errors: {}, status: 200 }, shown })
  }
  try {
    await updateMarketplace(ctx, { area, version: input.version, by: by.session.userId })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
    const problem = 'Another operator has saved something meanwhile. Open the page again.'
    return await renderArea(ctx, by, { formState: { values: by.form, errors: {}, problem, status: 409 } })
  }
  const text = area.length === 0 ? 'Saved. You serve everywhere.' : 'Saved. Pages say where you serve from now on.'
  return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
}

/** The rows with a place. Throws validation_failed, which names each row that is wrong. */
async function readCircles(ctx: Ctx, { place, distance }: Static<typeof AreaForm>): Promise<Circle[]> {
  const region = await getRegion(ctx)
  const most = typedDistance.shown(region, MAX_CIRCLE_MILES)
  const rows = place.flatMap((text, at) =>
    text === '' && !distance[at]
      ? []
      : [{ at, text, typed: /^\d{1,4}$/.test(distance[at] ?? '') ? Number(distance[at]) : 0 }],
  )
  const faults = rows.flatMap(({ at, text, typed }) => [
    ...(text === '' ? [`row ${at + 1} has a distance without a place`] : []),
    ...(typed < 1 || typed > most ? [`row ${at + 1} needs a whole distance from 1 to ${most}`] : []),
  ])
  const circles = rows.map(({ text, typed }) => ({ place: text, radiusMiles: milesOf(region, typed) }))
  try {
    if (faults.length === 0) return await findCircles(ctx, { circles })
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error
    faults.push(
      ...error.errors.map(({ path, message }) => {
        const [, index = '0'] = /^area\.(\d+)/.exec(path) ?? []
        return `row ${(rows[Number(index)]?.at ?? 0) + 1} ${message}`
      }),
    )
  }
  throw invalidFields([{ path: 'place', message: faults.join('; ') }])
}

/** In tenths, so that a distance in kilometres is shown as it was typed. */
const milesOf = ({ distance: { perMile } }: Region, typed: number): number => Math.round((typed / perMile) * 10) / 10

interface Shown {
  formState?: FormState
  shown?: { area: readonly Circle[]; seen: string; served: Served }
}

async function renderArea(ctx: Ctx, by: AuthenticatedRequest, { formState = EMPTY_FORM, shown }: Shown = {}) {
  const site = await readSite(ctx, by)
  const served = shown?.served ?? (await listServed(ctx, { area: site.area }))
  const content = areaView({ site, session: by.session, formState, served, shown })
  return renderConsolePage(ctx, by, { title: 'Area', content }, formStatus(formState))
}
