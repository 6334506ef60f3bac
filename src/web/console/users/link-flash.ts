// What an operator sees after a user was sent a link to choose a password.
import type { Ctx } from '../../../ctx.ts'
import { LINK_HOURS, type PasswordLink } from '../../../auth/users/verbs/password-links.ts'
import { passwordLinkUrl } from '../../../features/messages/messages/verbs/user-links.ts'
import type { Flash } from '../../ui/flash.tsx'

/** Shows the link once, so that it can be passed on where mail does not arrive. */
export const linkFlash = (ctx: Ctx, text: string, link: PasswordLink): Flash => ({
  tone: 'good',
  text,
  secret: {
    label: 'Link',
    value: passwordLinkUrl(ctx, link),
    note: `You will not see it again. It works once and expires after ${LINK_HOURS} hours.`,
  },
})
