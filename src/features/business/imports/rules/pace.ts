// How many invitations an import may send in a minute.
export const MAX_INVITES_PER_MINUTE = 6000
