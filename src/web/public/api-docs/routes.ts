// /api-docs: the API reference. The server has all its assets, so that it works offline.
//
// The reference is plain HTML made from the OpenAPI document: Swagger UI needs 1.7 MB of script and renders all operations before
// it shows one. It runs a single operation, on a page of its own.
//
// That page uses swagger-ui-dist, because @elysiajs/swagger and @elysiajs/openapi cannot serve a given document: they generate
// their own (3.0.3, and 3.1.2 with `nullable`, which 3.1 does not have) and load their page from a CDN.
// @scalar/api-reference 1.72 brings 290 MB of dependencies; swagger-ui-dist brings 12.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Elysia } from 'elysia'

import { pageHeaders } from '../../../http/headers.ts'
import { cachedDocument, derivedDocument } from '../../../http/cached-document.ts'
import { assetUrl } from '../../ui/assets.ts'
import { Brand, IconLink } from '../../ui/brand.tsx'
import { siteDocument } from '../../ui/site.tsx'
import { h } from 'preact'

import { renderMarkup } from '../../../platform/text/markup.tsx'
import { ctxOf } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Marketplace } from '../../../features/upkeep/marketplace/schemas.ts'
import { getMarketplace } from '../../../features/upkeep/marketplace/verbs.ts'
import type { OpenApiDocument } from '../../../http/openapi/openapi.ts'
import { PAGE_TYPE, developerPage } from '../../ui/layout.tsx'
import { entriesOf } from './document.ts'
import { TRY_PATH } from './examples.tsx'
import { PARTS, type Part } from './parts.ts'
import { referenceView } from './reference.tsx'

const tryPage = (site: Marketplace) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Try an operation · ${Bun.escapeHTML(site.name)}</title>
    <link rel="stylesheet" href="/api-docs/swagger-ui.css" />
    <link rel="stylesheet" href="${assetUrl('api-docs.css')}" />
    ${renderMarkup(h(IconLink, { site }))}
    <link rel="service-desc" type="application/json" href="/openapi.json" />
  </head>
  <body>
    <header class="bar">
      <a class="brand" href="/">${renderMarkup(h(Brand, { site }))}</a>
      <nav aria-label="Main">
        <a href="/api-docs">API reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/problems">Errors</a>
      </nav>
    </header>
    <main>
      <h1>Try an operation</h1>
      <p>
        <a href="/api-docs">All operations</a>. Requests go to this server with the key that you enter under “Authorize”,
        and take effect.
      </p>
      <noscript><p>This page needs scripts. The reference has the same request for curl.</p></noscript>
      <div id="reference"></div>
    </main>
    <script src="/api-docs/swagger-ui-bundle.js" defer></script>
    <script src="${assetUrl('try-operation.js')}" defer></script>
  </body>
</html>
`

/** Swagger UI's files and their types. */
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The reference, the page that runs one operation, and their assets. "Try it out" sends requests to `baseUrl`. */
export const apiDocs = (deps: Deps, documentOf: () => Promise<OpenApiDocument>) => {
  const { baseUrl } = deps.config
  const ctx = ctxOf(deps)
  let shown: { site: Marketplace; document: OpenApiDocument } | undefined
  const showing = async () => {
    const [site, document] = await Promise.all([getMarketplace(ctx), documentOf()])
    return (shown = shown?.site === site && shown.document === document ? shown : { site, document })
  }
  const referenceOf = (part: Part) =>
    derivedDocument(
      PAGE_TYPE,
      showing,
      ({ site, document }) =>
        developerPage(site, {
          title: part.title,
          description: part.description,
          content: referenceView(document, part),
          styles: ['reference.css'],
        }),
      pageHeaders(),
    )
  // Swagger UI's icons are data URLs.
  const page = siteDocument(deps, {
    type: PAGE_TYPE,
    make: tryPage,
    headers: pageHeaders({
      'script-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': `'self' ${new URL(baseUrl).origin}`,
    }),
  })
  let ids: ReadonlySet<string> | undefined
  const app = new Elysia({ name: 'api-docs' }).get(
    `${TRY_PATH}/:operationId`,
    async ({ request, params: { operationId } }) => {
      ids ??= new Set(
        entriesOf(await documentOf()).flatMap((entry) => (entry.isSent ? [] : [entry.operation.operationId])),
      )
      if (!ids.has(operationId)) throw new AppError('not_found', 'The API has no operation with this name.')
      return page(request)
    },
  )
  for (const part of PARTS) {
    const reference = referenceOf(part)
    app.get(part.path, ({ request }) => reference(request))
  }
  for (const [name, type] of Object.entries(FILES)) {
    const file = cachedDocument(type, () => readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))))
    app.get(`/api-docs/${name}`, ({ request }) => file(request))
  }
  return app
}
