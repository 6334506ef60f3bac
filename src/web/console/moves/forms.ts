// The forms of a move: what is typed in applying, and of an operator a reason.
import { Type } from '@sinclair/typebox'

import { FreeText, Text } from '../../../platform/schema/types.ts'
import { type Region, UNITED_STATES } from '../../../platform/text/region.ts'
import { placeFormIn } from '../../public/join/forms.ts'
import { defineForm } from '../../ui/define-form.tsx'

/** The version of the plan that was shown before it is carried out. */
const seen = { schema: Type.Optional(Text(20)) }

/** A distance is typed in the unit of the region. */
export const moveFormIn = (region: Region) => defineForm({ ...placeFormIn(region).fields, seen })

export const operatorMoveFormIn = (region: Region) =>
  defineForm({
    ...moveFormIn(region).fields,
    reason: { schema: FreeText({ minLength: 1 }), rows: 3, label: 'Reason', hint: 'The pro reads it.' },
  })

export const MoveForm = moveFormIn(UNITED_STATES)
export const OperatorMoveForm = operatorMoveFormIn(UNITED_STATES)
