// The shapes of a pro's team.
import { type Static, Type } from '@sinclair/typebox'

import { Email, Instant, Name, OneOf, Uuid } from '../../../platform/schema/types.ts'
import { PageMeta } from '../../../platform/schema/paging.ts'

export const MemberRole = OneOf(['manager', 'crew', 'office'])

export const Member = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String(), role: MemberRole, createdAt: Instant() },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

export const NewMember = Type.Object(
  {
    name: Name({ examples: ['Crew 1'] }),
    email: Email(),
    role: Type.Optional(OneOf(['manager', 'crew', 'office'], { default: 'crew' })),
  },
  { $id: 'NewMember', additionalProperties: false },
)
export type NewMember = Static<typeof NewMember>

export const MemberList = Type.Object({ members: Type.Array(Member), meta: PageMeta }, { $id: 'MemberList' })
export type MemberList = Static<typeof MemberList>

export const MemberAdded = Type.Object({ success: Type.Boolean(), member: Member }, { $id: 'MemberAdded' })
export type MemberAdded = Static<typeof MemberAdded>

export const MemberParams = Type.Object({ id: Uuid() })
