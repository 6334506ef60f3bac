// The documents of the repository and what stands in them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')

/** Every document, by path. LICENSES.md is generated from the texts of others. */
export const DOCUMENTS: readonly string[] = ['*.md', 'docs/**/*.md', 'bench/*.md'].flatMap((pattern) =>
  [...new Bun.Glob(pattern).scanSync(ROOT)].filter((path) => path !== 'LICENSES.md').sort(),
)

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

export interface CodeBlock {
  readonly document: string
  readonly line: number
  /** What follows the fence, such as `sh` or `sh root`. */
  readonly language: string
  readonly text: string
}

/** Every fenced block of every document. */
export const CODE_BLOCKS: readonly CodeBlock[] = DOCUMENTS.flatMap((document) => {
  const text = readDocument(document)
  return Array.from(text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm), ({ 1: language = '', 2: block = '', index }) => ({
    document,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
  }))
})

/** A document without its fenced blocks. */
export const proseOf = (document: string): string => readDocument(document).replaceAll(/^```.*\n[\s\S]*?^```$/gm, '')
