// Where people go after they have logged in: to a page of ours, whatever the address says.

const LOGIN = '/console/login'
const HOME = '/console'

/** Paths of pages for people who are logged in. Nothing in it can be read as another host, a scheme or a line end. */
const OUR_PAGE = /^\/(console|ops)(\/[\w-]+)*(\?[\w.~%&=+-]*)?$/

/** The page that was asked for, if it is one of ours, and the first one otherwise. */
export const safeNext = (next: string | null | undefined): string =>
  next !== null && next !== undefined && OUR_PAGE.test(next) && !next.startsWith(LOGIN) ? next : HOME

/** Where to log in, and what to open then. */
export const loginPath = (next?: string): string =>
  next === undefined || safeNext(next) === HOME ? LOGIN : `${LOGIN}?next=${encodeURIComponent(safeNext(next))}`
