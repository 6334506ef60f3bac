// /api-docs: the interactive reference, with every asset served from here, so that it works offline.
//
// Swagger UI's own files and not @elysiajs/swagger: that plugin cannot be given a document. Mounting it publishes a second,
// generated 3.0.3 one; its Swagger UI page has a CDN's address for the script written into it; and the package with a
// script for its other page (@scalar/api-reference 1.72) brings 290 MB of dependencies where this one brings 12.
// Its successor @elysiajs/openapi builds a document of its own too (3.1.2, with `nullable`, which 3.1 does not have).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { Elysia } from 'elysia'

import { DOCUMENT, pageHeaders } from '../../http/headers.ts'
import { readyDocument } from '../../http/cached-document.ts'
import { assetUrl } from '../ui/assets.ts'
import { PAGE_TYPE } from '../ui/layout.ts'

const PAGE = () => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API reference · Hearth</title>
    <link rel="stylesheet" href="/api-docs/swagger-ui.css" />
    <link rel="stylesheet" href="${assetUrl('api-docs.css')}" />
    <link rel="icon" type="image/svg+xml" href="${assetUrl('hearth.svg')}" />
    <link rel="service-desc" type="application/json" href="/openapi.json" />
  </head>
  <body>
    <header class="bar">
      <a class="brand" href="/"><img src="${assetUrl('hearth.svg')}" alt="" width="22" height="22" /> Hearth</a>
      <nav aria-label="Hearth">
        <a href="/">Find a pro</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/problems">Errors</a>
      </nav>
    </header>
    <div id="reference"></div>
    <noscript>The machine-readable description is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/api-docs/swagger-ui-bundle.js"></script>
    <script src="/api-docs/start.js"></script>
  </body>
</html>
`

// `validatorUrl: null`: Swagger UI would otherwise send the document's address to a public validator. It puts a link into
// each button that opens an operation, which readers of screens cannot tell apart, and leaves the choice of a server and
// the text of a body without a name.
const START = `const nameServers = () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server')
const accessible = () => ({
  wrapComponents: {
    TextArea: (Original, { React }) => (props) =>
      React.createElement(Original, { 'aria-label': 'Request body', ...props }),
    DeepLink: (_, { React }) => ({ text }) => React.createElement('span', { className: 'nostyle' }, text),
  },
})
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [accessible],
  onComplete: nameServers,
  deepLinking: true,
  displayOperationId: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
`

/** Swagger UI's files, by the name under which they are served. */
const FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The page and its assets; `baseUrl` is where its "Try it out" sends requests. */
export const apiDocs = ({ baseUrl }: { baseUrl: string }) => {
  // Its icons are data URLs; "Try it out" calls the API where clients find it.
  const page = readyDocument(
    PAGE_TYPE,
    PAGE,
    pageHeaders({
      'script-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': `'self' ${new URL(baseUrl).origin}`,
    }),
  )
  const start = readyDocument('text/javascript; charset=utf-8', () => START)
  const app = new Elysia({ name: 'api-docs' })
    .get('/api-docs', ({ request }) => page(request), DOCUMENT)
    .get('/api-docs/start.js', ({ request }) => start(request), DOCUMENT)
  for (const [name, type] of Object.entries(FILES)) {
    const file = readyDocument(type, () => readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))))
    app.get(`/api-docs/${name}`, ({ request }) => file(request), DOCUMENT)
  }
  return app
}
