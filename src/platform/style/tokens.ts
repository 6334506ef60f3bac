// The tokens of tokens.css for what no style sheet reaches: e-mails, and sheets that stand alone in other people's pages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The values by their names, such as `color-ink`; without those of reduced motion and of paper. */
export const TOKENS: ReadonlyMap<string, string> = readTokens(readFileSync(join(import.meta.dir, 'tokens.css'), 'utf8'))

/** The tokens of a style sheet's first rule. */
export function readTokens(sheet: string): Map<string, string> {
  const rule = sheet.slice(0, sheet.indexOf('}')).replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const declarations = [...rule.matchAll(/--([\w-]+):\s*([^;]+);/g)]
  return new Map(declarations.map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ').trim()]))
}

/** The value of a token. */
export function token(name: string): string {
  const value = TOKENS.get(name)
  if (value === undefined) throw new Error(`tokens.css has no --${name}.`)
  return value
}

/** A colour in the light and in the dark scheme. */
export function colour(name: string): { light: string; dark: string } {
  const [, light, dark] = /^light-dark\((#\w+), (#\w+)\)$/.exec(token(`color-${name}`)) ?? []
  if (light === undefined || dark === undefined) throw new Error(`--color-${name} is not light-dark(#…, #…).`)
  return { light, dark }
}

/** A style sheet with the values of the tokens in place of their names. */
export const withTokens = (sheet: string): string =>
  sheet.replaceAll(/var\(--([\w-]+)\)/g, (use, name: string) => TOKENS.get(name) ?? use)
