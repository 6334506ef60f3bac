// The page that runs one operation: Swagger UI, with the operation of the page's address only.

interface SwaggerSpec {
  info: { title: string; version: string }
  paths: Record<string, Record<string, { operationId?: string }>>
}
type Component = (props: Readonly<Record<string, unknown>>) => unknown
type Wrapped = (
  original: Component,
  system: { React: { createElement: (type: unknown, props: object, ...children: unknown[]) => unknown } },
) => Component
/** What this page uses of Swagger UI's bundle, which has no types. */
declare const SwaggerUIBundle: {
  (options: Readonly<Record<string, unknown>>): void
  presets: { apis: unknown }
}

/** Repairs its accessibility, with `nameServers`: links inside buttons, a server menu and a body field without names. */
const accessible = (): { wrapComponents: Record<string, Wrapped> } => ({
  wrapComponents: {
    TextArea:
      (Original, { React }) =>
      (props) =>
        React.createElement(Original, { 'aria-label': 'Request body', ...props }),
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', { className: 'nostyle' }, text),
  },
})

const nameServers = () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server')

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)

follow()
dark.addEventListener('change', follow)
void start()

async function start(): Promise<void> {
  const reference = document.querySelector('#reference')
  if (reference) new MutationObserver(nameServers).observe(reference, { childList: true, subtree: true })
  const spec = (await (await fetch('/openapi.json')).json()) as SwaggerSpec
  SwaggerUIBundle({
    spec: {
      ...spec,
      info: { title: spec.info.title, version: spec.info.version },
      paths: pathsOf(spec),
      webhooks: undefined,
    },
    dom_id: '#reference',
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [accessible],
    docExpansion: 'full',
    tryItOutEnabled: true,
    displayOperationId: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
    // By default Swagger UI sends the document's URL to a public validator.
    validatorUrl: null,
  })
}

/** The operation of this page: with all of them, Swagger UI takes seconds. */
function pathsOf({ paths }: SwaggerSpec): SwaggerSpec['paths'] {
  const id = location.pathname.split('/').at(-1)
  const chosen = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).filter(([, { operationId }]) => operationId === id)),
  ])
  return Object.fromEntries(chosen.filter(([, item]) => Object.keys(item as object).length > 0)) as SwaggerSpec['paths']
}
