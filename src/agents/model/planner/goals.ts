// Which recipe a goal is for, by its words. The first that fits is taken, so the narrower ones come first.
import { answerLeads } from './leads.ts'
import { lookAround } from './overview.ts'
import type { Recipe } from './recipe.ts'

const GOALS: readonly { readonly words: RegExp; readonly recipe: Recipe }[] = [
  { words: /\b(leads?|rfqs?|requests?|inquir(y|ies)|enquir(y|ies))\b/i, recipe: answerLeads },
]

/** The recipe for a goal; a look around when none is meant. */
export const recipeFor = (goal: string): Recipe => GOALS.find(({ words }) => words.test(goal))?.recipe ?? lookAround
