// E-mail addresses have one form: input is normalised where it is decoded, and then stored, compared and counted as it is.
import type { TSchema } from '@sinclair/typebox'

/**
 * The address with ASCII letters in lower case. Other letters stay: JavaScript and PostgreSQL fold them differently (`İ`), and
 * only the mail server knows whether two spellings are one mailbox. Domains are ASCII: international ones are in punycode.
 * The database repeats the rule as `lower(email collate "C")`.
 */
export const normalEmail = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

type Normalise = (value: unknown) => unknown

const EMAIL: Normalise = (value) => (typeof value === 'string' ? normalEmail(value) : value)

/** A function that normalises the e-mail addresses in values of a schema; undefined for a schema without any. */
export function emailNormaliser(schema: TSchema): Normalise | undefined {
  if (schema['format'] === 'email') return EMAIL
  if (schema['properties']) return propertiesNormaliser(schema['properties'] as Record<string, TSchema>)
  const items = schema['items'] ? emailNormaliser(schema['items'] as TSchema) : undefined
  if (items) return (value) => (Array.isArray(value) ? value.map(items) : value)
  const members = [schema['anyOf'], schema['allOf']].flatMap((list) => (list as TSchema[] | undefined) ?? [])
  const normalisers = members.flatMap((member) => emailNormaliser(member) ?? [])
  if (normalisers.length === 0) return undefined
  return (value) => normalisers.reduce((result, normalise) => normalise(result), value)
}

function propertiesNormaliser(properties: Record<string, TSchema>): Normalise | undefined {
  const normalisers = Object.entries(properties).flatMap(([name, property]) => {
    const normalise = emailNormaliser(property)
    return normalise ? [[name, normalise] satisfies [string, Normalise]] : []
  })
  if (normalisers.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const fields = value as Record<string, unknown>
    const normal = normalisers.flatMap(([name, normalise]) => (name in fields ? [[name, normalise(fields[name])]] : []))
    return { ...fields, ...(Object.fromEntries(normal) as Record<string, unknown>) }
  }
}
