// Reads the text of query parameters as the numbers, booleans, e-mail addresses and names of their schema.
import type { TSchema } from '@sinclair/typebox'

import { invalidField } from '../errors/app-error.ts'
import { textNormaliser } from '../platform/schema/normaliser.ts'
import { queryOf } from './request-target.ts'

type Query = Record<string, unknown>

/** Parameters that campaigns, mail programs and social networks append to the links of pages. */
const CAMPAIGN_PARAMETER = /^(utm_\w+|\w*clk?id|[gw]braid|mc_[ce]id|_g[al]|ref)$/

/** Removes the parameters of campaigns from a page's query, in place. */
export function dropCampaignParameters(query: Query): void {
  for (const name of Object.keys(query)) if (CAMPAIGN_PARAMETER.test(name)) delete query[name]
}

/** What a parameter's text reads as: the text itself where it does not fit its schema. */
type Read = (text: string) => unknown

const READS: Record<string, Read> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(\.\d{1,20})?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

/**
 * A function that reads the typed parameters of a query schema in place. Text that does not fit stays text, so that validation
 * names it; JSON's leniency (`1e3`, ` 5`, an empty value as 0) has no place in a URL.
 */
export function queryReader(schema: TSchema | undefined): (query: Query) => void {
  const readers = Object.entries<TSchema>(schema?.['properties'] ?? {}).flatMap(([name, parameter]) => {
    const read = textNormaliser(parameter) ?? READS[String(parameter['type'])]
    return read ? [[name, read] satisfies [string, Read]] : []
  })
  return (query) => {
    for (const [name, read] of readers) {
      const text = query[name]
      if (typeof text === 'string') query[name] = read(text)
    }
  }
}

/** Throws validation_failed for a parameter that is given twice: which of its values is meant is not known. */
export function refuseRepeated(url: string): void {
  if (!url.includes('&')) return
  const names = new Set<string>()
  for (const name of queryOf(url).keys()) {
    if (names.has(name)) throw invalidField(`query.${name}`, 'must be given once')
    names.add(name)
  }
}
