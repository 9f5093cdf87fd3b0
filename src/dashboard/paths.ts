import { DASHBOARD_PATH } from '../users/links.ts'

export { DASHBOARD_PATH }

const at = (path: string) => DASHBOARD_PATH + path

/** The addresses of its pages. Ids need no escape. */
export const paths = {
  home: at(''),
  signIn: at('/sign-in'),
  secondStep: at('/second-step'),
  signOut: at('/sign-out'),
  setup: (token: string) => at(`/setup/${token}`),
  join: (token: string) => at(`/join/${token}`),
  joinAs: (token: string) => at(`/join/${token}/accept`),
  signInLink: (token: string) => at(`/sign-in/${token}`),
  reset: (token: string) => at(`/reset/${token}`),
  profile: at('/profile'),
  events: (account: string) => at(`/a/${account}`),
  newEvent: (account: string) => at(`/a/${account}/new-event`),
  event: (event: string) => at(`/e/${event}`),
  publishEvent: (event: string) => at(`/e/${event}/publish`),
  unpublishEvent: (event: string) => at(`/e/${event}/unpublish`),
  completeEvent: (event: string) => at(`/e/${event}/complete`),
  cancelEvent: (event: string) => at(`/e/${event}/cancel`),
  duplicateEvent: (event: string) => at(`/e/${event}/duplicate`),
  importGuests: (event: string) => at(`/e/${event}/guests/import`),
  pasteGuests: (event: string) => at(`/e/${event}/guests/import/paste`),
  guestImport: (event: string, job: string) => at(`/e/${event}/guests/import/${job}`),
  importColumns: (event: string, job: string) => at(`/e/${event}/guests/import/${job}/columns`),
  startImport: (event: string, job: string) => at(`/e/${event}/guests/import/${job}/start`),
  stopImport: (event: string, job: string) => at(`/e/${event}/guests/import/${job}/stop`),
  linesLeftOut: (event: string, job: string) => at(`/e/${event}/guests/import/${job}/left-out`),
  tickets: (event: string) => at(`/e/${event}/tickets`),
  editEvent: (event: string) => at(`/e/${event}/settings`),
} as const
