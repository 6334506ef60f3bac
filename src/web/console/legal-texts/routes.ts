// /console/marketplace/texts: operators publish terms, privacy policy and imprint, each version after a preview.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { LEGAL_KINDS, type LegalKind } from '../../../features/upkeep/legal-texts/schemas.ts'
import { getLegalTexts, listVersionsOf, publishText } from '../../../features/upkeep/legal-texts/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { readSite } from '../../ui/site.tsx'
import { submitForm } from '../../ui/submit.ts'
import { NAMES, TEXTS_PATH as PATH, TextForm, previewOf, textListView, textView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ kind: OneOf(LEGAL_KINDS) })

export const legalTextPages = (deps: Deps) =>
  new Elysia({ name: 'legal-text-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getLegalTextList({ ctx, authenticated: by }) {
        const content = textListView(await getLegalTexts(ctx))
        return renderConsolePage(ctx, by, { title: 'Legal texts', content })
      },
      { session },
    )
    .get(
      `${PATH}/:kind`,
      async function getLegalTextPage({ ctx, authenticated: by, params: { kind } }) {
        return await renderText(ctx, by, { kind })
      },
      { session, params },
    )
    .post(
      `${PATH}/:kind`,
      async function postLegalText({ ctx, authenticated: by, params: { kind } }) {
        return await submitForm(
          TextForm,
          by.form,
          async ({ content = '', version, step }) => {
            if (step !== 'publish') {
              const formState = { values: by.form, errors: {}, status: 200 }
              return await renderText(ctx, by, { kind, formState, draft: content })
            }
            await publishText(ctx, { kind, version, content, by: by.session.userId })
            const text = `Version ${version + 1} is published.`
            return redirectWithFlash(ctx, by.session, `${PATH}/${kind}`, { tone: 'good', text })
          },
          (formState) => renderText(ctx, by, { kind, formState }),
        )
      },
      { session, params, form: TextForm },
    )

/** `draft`: what is to be shown as it would be read. */
async function renderText(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { kind, formState = EMPTY_FORM, draft }: { kind: LegalKind; formState?: typeof EMPTY_FORM; draft?: string },
): Promise<Response> {
  const [site, texts, versions] = await Promise.all([
    readSite(ctx, by),
    getLegalTexts(ctx),
    listVersionsOf(ctx, { kind }),
  ])
  const preview = draft === undefined ? undefined : previewOf(texts[kind], draft)
  const content = textView(by.session, { kind, site, text: texts[kind], versions, formState, preview })
  return renderConsolePage(ctx, by, { title: NAMES[kind], content }, formStatus(formState))
}
