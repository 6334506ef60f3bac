// Input has one form before anything reads it: e-mail addresses are in lower case, and names have visible characters only. Bodies,
// the arguments of tools and forms are normalised by their schemas.
import type { TSchema } from '@sinclair/typebox'

import { plainName } from '../text/plain.ts'
import { normalEmail } from './email.ts'

/** Marks the schema of a text of one line that names a thing or a person. A symbol: documents and lists of tools leave it out. */
export const IS_NAME = Symbol('name')

/** What makes a text of this schema normal; undefined where it stays as it is. */
export function textNormaliser(schema: TSchema): ((text: string) => string) | undefined {
  if (schema['format'] === 'email') return normalEmail
  return (schema as { [IS_NAME]?: boolean })[IS_NAME] === true ? plainName : undefined
}

type Normalise = (value: unknown) => unknown

/** A function that normalises the texts in values of a schema; undefined for a schema without any to normalise. */
export function normaliserOf(schema: TSchema): Normalise | undefined {
  const text = textNormaliser(schema)
  if (text) return (value) => (typeof value === 'string' ? text(value) : value)
  if (schema['properties']) return propertiesNormaliser(schema['properties'] as Record<string, TSchema>)
  const items = schema['items'] ? normaliserOf(schema['items'] as TSchema) : undefined
  if (items) return (value) => (Array.isArray(value) ? value.map(items) : value)
  const members = [schema['anyOf'], schema['allOf']].flatMap((list) => (list as TSchema[] | undefined) ?? [])
  const normalisers = members.flatMap((member) => normaliserOf(member) ?? [])
  if (normalisers.length === 0) return undefined
  return (value) => normalisers.reduce((result, normalise) => normalise(result), value)
}

function propertiesNormaliser(properties: Record<string, TSchema>): Normalise | undefined {
  const normalisers = Object.entries(properties).flatMap(([name, property]) => {
    const normalise = normaliserOf(property)
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
