// The document with examples that are true today: made again when their times may be over.
import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { localizedValue, regionOf } from '../../platform/text/region.ts'
import { type Example, type ExampleFacts, examplesOf, fictionalFacts } from './examples.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Operation } from './operation.ts'

/** Times of the examples are booked meanwhile, and days pass. */
const FRESH_MS = 3_600_000
/** How long a document stands whose examples could not be read. */
const RETRY_MS = 60_000

interface Publisher {
  readonly name: string
  /** Whom developers write to. */
  readonly email: string | null
  /** In whose words it is. */
  readonly country: string
}

export interface DocumentParts {
  /** Called once: all but the examples stays the same while the process runs. */
  readonly build: () => OpenApiDocument
  /** Who publishes the API: the same object until that changes. */
  readonly publisher: (ctx: Ctx) => Promise<Publisher>
  /** Undefined where no pro can be named. */
  readonly facts: (ctx: Ctx) => Promise<ExampleFacts | undefined>
}

/**
 * Returns the same document until its examples are an hour old or its publisher changes. The database being away only makes the
 * examples fictional.
 */
export function currentDocument(deps: Deps, parts: DocumentParts): () => Promise<OpenApiDocument> {
  const { clock, log } = deps
  const { build, facts, publisher } = parts
  const ctx = ctxOf(deps)
  let built: OpenApiDocument | undefined
  let current: Promise<OpenApiDocument> | undefined
  let renewAt = 0
  const make = async (now: Date): Promise<OpenApiDocument> => {
    let found: ExampleFacts | undefined
    try {
      found = await facts(ctx)
    } catch (error) {
      log.warn({ err: error }, 'could not read the examples of /openapi.json')
      renewAt = now.getTime() + RETRY_MS
    }
    return withExamples((built ??= build()), examplesOf(found ?? fictionalFacts(now.toISOString().slice(0, 10))))
  }
  const fresh = () => {
    const now = clock.now()
    if (current && now.getTime() < renewAt) return current
    renewAt = now.getTime() + FRESH_MS
    return (current = make(now))
  }
  let named: { from: OpenApiDocument; by: Publisher; document: OpenApiDocument } | undefined
  return async () => {
    const [from, by] = await Promise.all([fresh(), publisher(ctx)])
    if (named?.from !== from || named.by !== by) named = { from, by, document: publishedBy(from, by) }
    return named.document
  }
}

function publishedBy(document: OpenApiDocument, { name, email, country }: Publisher): OpenApiDocument {
  const { info, ...rest } = localizedValue(regionOf({ country }), document)
  const contact = { ...info.contact, name, ...(email === null ? {} : { email }) }
  return { ...rest, info: { ...info, title: name, contact } }
}

function withExamples(document: OpenApiDocument, examples: Readonly<Record<string, Example>>): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const example = examples[operation.operationId]
      return [method, example ? withExample(operation, example) : operation] as const
    })
    return [path, Object.fromEntries(operations)] as const
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

function withExample({ requestBody, ...operation }: Operation, { value, form, note }: Example): Operation {
  if (!requestBody) return operation
  const content = Object.entries(requestBody.content).map(([type, media]) => {
    return [type, { ...media, example: type === 'application/json' ? value : form }] as const
  })
  return {
    ...operation,
    requestBody: {
      ...requestBody,
      ...(note === undefined ? {} : { description: note }),
      content: Object.fromEntries(content),
    },
  }
}
