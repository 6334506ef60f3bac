/** @jsxImportSource preact */
// Where an operator books for a customer who calls, and the link to it.
import type { VNode } from 'preact'

import type { Session } from '../../../http/session.ts'
import { ForThoseWhoMay } from '../../ui/permitted.tsx'

export const byHandPath = (professionalId: string): string => `/console/verification/${professionalId}/book`

/** Operators whose role does not allow it see no link. */
export const byHandLink = (session: Session, professionalId: string, label: string): VNode => (
  <ForThoseWhoMay session={session} post={byHandPath(professionalId)}>
    <a href={byHandPath(professionalId)}>{label}</a>{' '}
  </ForThoseWhoMay>
)

/** Where an operator goes from a pro whom customers find. */
export const linksOfPro = (session: Session, { id, slug }: { id: string; slug: string }): VNode => (
  <>
    {byHandLink(session, id, 'Book for a customer')}
    <a href={`/pros/${slug}`}>Public profile</a>
  </>
)
