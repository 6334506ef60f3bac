// Written by `npm run schema` from of-customer.sql. Do not edit.
import { type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectReviewsOfCustomer = statement('selectReviewsOfCustomer', { nullable: ['reviews'] }) as One<'write',
  { customerEmail: string; limit: number; offset: number },
  { total: number; reviews: unknown },
  'reviews'>
