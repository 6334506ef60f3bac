// bull-board over the actors' mailboxes: its files and its answers, for whoever serves them. To look at, not to change: what
// is in a mailbox only tells of what stands in PostgreSQL.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import type { AppControllerRoute, BullBoardQueues, IServerAdapter, UIConfig } from '@bull-board/api/typings/app'

import type { Queues } from './queues.ts'

export interface QueueBoard {
  /** What the page loads, by its own build: paths below `static/`. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** The page's configuration. */
  readonly settings: UIConfig
  /** The names of its files, below `static/`. */
  readonly files: ReadonlySet<string>
  /** The content of one of its files. */
  file(name: string): Uint8Array
  /** What it answers to a GET of `path`, such as `/api/queues`; undefined when it has nothing there. */
  answer(path: string, query: URLSearchParams): Promise<{ status: number; body: unknown } | undefined>
  /** Shows these mailboxes from now on. */
  show(actors: readonly string[]): void
}

const FOLDER = dirname(fileURLToPath(import.meta.resolve('@bull-board/ui/package.json')))

/** Opens it. It asks Redis for nothing until somebody looks. */
export function openQueueBoard(queues: Pick<Queues, 'mailbox'>): QueueBoard {
  const kept: { routes: AppControllerRoute[]; queues: BullBoardQueues; settings: UIConfig } = {
    routes: [],
    queues: new Map(),
    settings: {},
  }
  const board = createBullBoard({
    queues: [],
    serverAdapter: keeping(kept),
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
  const named = (pattern: RegExp) => Array.from(index.matchAll(pattern), ([, path = '']) => path)
  return {
    scripts: named(/<script defer src="(static\/[^"]+)"/g),
    styles: named(/<link href="(static\/[^"]+\.css)"/g),
    settings: kept.settings,
    files: new Set(files),
    file: (name) => readFileSync(join(folder, name)),
    answer: (path, query) => answerTo(kept, path, query),
    show: (actors) => {
      if (actors.every((actor) => kept.queues.has(actor)) && kept.queues.size === actors.length) return
      board.replaceQueues(actors.map((actor) => new BullMQAdapter(queues.mailbox(actor), { readOnlyMode: true })))
    },
  }
}

/** What bull-board hands to a web framework, kept. */
function keeping(kept: { routes: AppControllerRoute[]; queues: BullBoardQueues; settings: UIConfig }): IServerAdapter {
  const adapter: IServerAdapter = {
    setQueues: (queues) => {
      kept.queues = queues
      return adapter
    },
    setApiRoutes: (routes) => {
      kept.routes = routes.filter(({ method }) => [method].flat().includes('get'))
      return adapter
    },
    setUIConfig: (settings) => {
      kept.settings = settings
      return adapter
    },
    setViewsPath: () => adapter,
    setStaticPath: () => adapter,
    setEntryRoute: () => adapter,
    setErrorHandler: () => adapter,
  }
  return adapter
}

async function answerTo(
  kept: { routes: AppControllerRoute[]; queues: BullBoardQueues; settings: UIConfig },
  path: string,
  query: URLSearchParams,
): Promise<{ status: number; body: unknown } | undefined> {
  for (const route of kept.routes) {
    for (const pattern of [route.route].flat()) {
      const params = paramsIn(pattern, path)
      if (!params) continue
      const request = { queues: kept.queues, uiConfig: kept.settings, query: Object.fromEntries(query), params }
      const { status = 200, body } = await route.handler({ ...request, body: {}, headers: {} })
      return { status, body }
    }
  }
  return undefined
}

/** `/api/queues/:queueName` against a path. */
function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decoded(text)
    else if (part !== text) return undefined
  }
  return params
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not the encoding of anything: then it names nothing, either.
    return text
  }
}
