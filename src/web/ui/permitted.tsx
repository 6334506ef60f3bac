/** @jsxImportSource preact */
// What a page shows only to those whose role allows it.
import type { ComponentChildren, VNode } from 'preact'

import { type Permitted, mayOpen, mayPost } from '../../auth/users/rules/permissions.ts'

/** What leads to an act, such as a folded form. People who may not act do not see it. */
export const ForThoseWhoMay = ({
  session,
  post,
  children,
}: {
  session: Permitted
  /** Where the form is sent. */
  post: string
  children: ComponentChildren
}): VNode | null => (mayPost(session, post) ? <>{children}</> : null)

/** A link, or its text alone for those who may not open the page. */
export const PermittedLink = ({
  session,
  href,
  children,
}: {
  session: Permitted
  href: string
  children: ComponentChildren
}): VNode => (mayOpen(session, href) ? <a href={href}>{children}</a> : <>{children}</>)
