// `hearth texts export | publish`: terms, privacy policy and imprint, as files of Markdown.
import { readFileSync } from 'node:fs'

import { Type } from '@sinclair/typebox'

import { LEGAL_KINDS, LegalContent, type LegalKind } from '../features/upkeep/legal-texts/schemas.ts'
import { getLegalTexts, publishText } from '../features/upkeep/legal-texts/verbs.ts'
import { checked } from '../http/field-errors.ts'
import { withDeps } from './command-deps.ts'
import { UsageError, requireOneOf } from './failure.ts'

const TextFile = Type.Object({ content: LegalContent })

/** Prints the text in force. */
export const runTextsExport = (kind: string) =>
  withDeps(async (ctx) => {
    const known = kindOf(kind)
    const text = (await getLegalTexts(ctx))[known]
    if (!text) throw new UsageError(`No version of ${known} is published.`)
    console.log(text.content)
  })

/** Publishes a file as the next version. */
export const runTextsPublish = (kind: string, path: string) =>
  withDeps(async (ctx) => {
    const known = kindOf(kind)
    const { content } = checked(TextFile, { content: contentOf(path) })
    const version = (await getLegalTexts(ctx))[known]?.version ?? 0
    await publishText(ctx, { kind: known, version, content, by: null })
    console.log(`Published as version ${version + 1}: ${ctx.config.baseUrl}/${known}`)
  })

const kindOf = (kind: string): LegalKind => requireOneOf(kind, LEGAL_KINDS, '<text>')

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read. Give the path of a file of Markdown.`)
  }
}
