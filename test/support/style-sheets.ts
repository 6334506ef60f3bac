// The style sheets' rules, and which names of their selectors occur in templates, scripts and libraries.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync } from 'oxc-parser'

import { ROOT, filesUnder } from './imports.ts'

const STYLES = 'src/web/ui/assets/styles'
export const TOKEN_SHEET = 'src/platform/style/tokens.css'

/** The paths of all sheets from the root. */
export const sheetPaths = (): string[] => [TOKEN_SHEET, ...filesUnder(STYLES)]

export const readSheet = (path: string): string =>
  readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')

/** Every selector of a sheet without comments, those of a list each by itself. */
export function selectorsOf(sheet: string): string[] {
  const preludes = [...sheet.replaceAll(/@import[^;]*;/g, '').matchAll(/([^{};]+)\{/g)].map(
    ([, prelude = '']) => prelude,
  )
  return preludes.filter((prelude) => !prelude.trim().startsWith('@')).flatMap(splitList)
}

/** At commas outside of parentheses and brackets. */
function splitList(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const char of list) {
    depth += Number('(['.includes(char)) - Number(')]'.includes(char))
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.map((part) => part.replaceAll(/\s+/g, ' ').trim())
}

/** What templates and scripts can give an element. */
export interface UsedNames {
  /** Elements, classes, ids and values. */
  names: ReadonlySet<string>
  /** Beginnings of names that end in a value: `depth-` of `depth-${level}`. */
  beginnings: readonly string[]
  attributes: ReadonlySet<string>
}

/** The names of a selector that occur neither in the sources nor in the texts of libraries. */
export function unusedNames(selector: string, { names, beginnings, attributes }: UsedNames, libraries = ''): string[] {
  const isInLibrary = (name: string) => isWordOf(libraries, name)
  const isUsed = (name: string) =>
    names.has(name) || beginnings.some((beginning) => name.startsWith(beginning)) || isInLibrary(name)
  const [matched, bare] = [
    [...selector.matchAll(/\[([\w-]+)[~|^$*]?=?'?([^'\]]*)'?\]/g)],
    selector.replaceAll(/\[[^\]]*\]/g, ''),
  ]
  const given = matched.flatMap(([, name = '', value = '']) => [
    ...(attributes.has(name) || isInLibrary(name) ? [] : [name]),
    // Beginnings of names, and values that a library sets as it runs, stand nowhere in its text as they are.
    ...(!/^[\w-]*\w$/.test(value) || isUsed(value) ? [] : [value]),
  ])
  const asked = bare.replaceAll(/::?[a-z-]+(?=\(|[^\w-]|$)/g, ' ').matchAll(/[.#]?([a-z_][\w-]*)/gi)
  return [...given, ...[...asked].map(([, name = '']) => name).filter((name) => !isUsed(name))]
}

/** Whether a library's text has the name, or its beginning before a value: `opblock-` of `opblock-get`. */
function isWordOf(text: string, name: string): boolean {
  const beginning = name.slice(0, name.lastIndexOf('-') + 1)
  const whole = `(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`
  return new RegExp(beginning === '' ? whole : `${whole}|(?<![\\w-])${RegExp.escape(beginning)}["'\`$]`).test(text)
}

/** A text between two parts of a template. */
const VALUE = '\0'

/** The names in the sources under these folders. Text that people read gives none. */
export function namesIn(folders: readonly string[]): UsedNames {
  const [names, beginnings, attributes] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const addTokens = (text: string) => {
    for (const [token] of text.matchAll(/[\w-]+\0?/g))
      if (token.endsWith(VALUE)) addBeginning(token.slice(0, -1))
      else names.add(token)
  }
  const addBeginning = (token: string) => {
    if (/\w-$/.test(token)) beginnings.add(token)
    else names.add(token)
  }
  const addText = (text: string) => {
    if (isNameList(text)) return addTokens(text)
    for (const [tag] of text.matchAll(/<[a-z][^<>]*>?/gi)) {
      addTokens(tag.replaceAll(/"[^"]*"/g, ' '))
      for (const [, value = ''] of tag.matchAll(/"([^"]*)"/g)) if (isNameList(value)) addTokens(value)
    }
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const it = node as Readonly<Record<string, unknown>> & { type?: string }
    if (it.type === 'Literal' && typeof it['value'] === 'string') addText(it['value'])
    if (it.type === 'TemplateLiteral')
      addText((it['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(VALUE))
    if (it.type === 'JSXIdentifier') names.add(String(it['name']))
    // `ariaSelected` sets `aria-selected`.
    if (it.type === 'Identifier') attributes.add(kebab(String(it['name'])))
    Object.values(it).forEach(visit)
  }
  for (const path of folders.flatMap(filesUnder))
    if (/\.tsx?$/.test(path)) visit(parseSync(path, readFileSync(join(ROOT, path), 'utf8')).program)
  return { names, beginnings: [...beginnings], attributes: new Set([...attributes, ...names]) }
}

/** `button quiet`, `of-` before a value, a column's name, or `aria-current="page"`; no sentence. */
const isNameList = (text: string): boolean =>
  /^\s*[a-z_\0][\w\0-]*(="[^"]*")?( +[a-z_\0][\w\0-]*)*\s*$|^[A-Z]\w*$/.test(text)
const kebab = (name: string): string => name.replaceAll(/(?<=^aria|^data)[A-Z]\w*/g, (rest) => `-${rest.toLowerCase()}`)
