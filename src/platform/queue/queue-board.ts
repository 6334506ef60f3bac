// bull-board over the actors' queues, read-only: its files and its API, for a page to serve.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app'

import type { Queues } from './queues.ts'

export interface QueueBoard {
  /** The scripts of its page: paths below `static/`. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** The configuration of its page. */
  readonly settings: UIConfig
  /** The names of its files, below `static/`. */
  readonly files: ReadonlySet<string>
  file(name: string): Uint8Array
  /** Its response to a GET of `path`, such as `/api/queues`. Undefined if it has no such route. */
  respond(path: string, query: URLSearchParams): Promise<{ status: number; body: unknown } | undefined>
  setQueues(actors: readonly string[]): void
}

const FOLDER = dirname(fileURLToPath(import.meta.resolve('@bull-board/ui/package.json')))

/** What bull-board registers with a web framework. */
interface Registered {
  routes: AppControllerRoute[]
  queues: BullBoardQueues
  settings: UIConfig
}

/** Sends no command to Redis before the first request. */
export function openQueueBoard(queues: Pick<Queues, 'queue'>): QueueBoard {
  const registered: Registered = { routes: [], queues: new Map(), settings: {} }
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapterTo(registered),
    options: {
      uiBasePath: FOLDER,
      uiConfig: {
        boardTitle: 'Queues',
        hideDocsLink: true,
        hideRedisDetails: true,
        locale: { lng: 'en-US' },
        miscLinks: [{ text: 'Operations', url: '/ops' }],
      },
    },
  })
  const folder = join(FOLDER, 'dist/static')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const index = readFileSync(join(FOLDER, 'dist/index.ejs'), 'utf8')
  const pathsIn = (pattern: RegExp) => Array.from(index.matchAll(pattern), ([, path = '']) => path)
  return {
    scripts: pathsIn(/<script defer src="(static\/[^"]+)"/g),
    styles: pathsIn(/<link href="(static\/[^"]+\.css)"/g),
    settings: registered.settings,
    files: new Set(files),
    file: (name) => readFileSync(join(folder, name)),
    respond: (path, query) => respond(registered, path, query),
    setQueues: (actors) => {
      if (actors.every((actor) => registered.queues.has(actor)) && registered.queues.size === actors.length) return
      board.replaceQueues(actors.map((actor) => new BullMQAdapter(queues.queue(actor), { readOnlyMode: true })))
    },
  }
}

function adapterTo(registered: Registered): IServerAdapter {
  const adapter: IServerAdapter = {
    setQueues: (queues) => {
      registered.queues = queues
      return adapter
    },
    setApiRoutes: (routes) => {
      registered.routes = routes.filter(({ method }) => [method].flat().includes('get'))
      return adapter
    },
    setUIConfig: (settings) => {
      registered.settings = settings
      return adapter
    },
    setViewsPath: () => adapter,
    setStaticPath: () => adapter,
    setEntryRoute: () => adapter,
    setErrorHandler: () => adapter,
  }
  return adapter
}

async function respond({ routes, queues, settings }: Registered, path: string, query: URLSearchParams) {
  for (const route of routes) {
    for (const pattern of [route.route].flat()) {
      const params = paramsIn(pattern, path)
      if (!params) continue
      const request = { queues, uiConfig: settings, query: Object.fromEntries(query), params }
      const { status = 200, body } = await route.handler({ ...request, body: {}, headers: {} })
      return { status, body }
    }
  }
  return undefined
}

/** Matches a path with a pattern such as `/api/queues/:queueName`. */
function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [expected, actual] = [pattern.split('/'), path.split('/')]
  if (expected.length !== actual.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const text = actual[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(text)
    else if (part !== text) return undefined
  }
  return params
}

/** The text itself if it is not valid percent-encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
