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
  tickets: (event: string) => at(`/e/${event}/tickets`),
  checkIn: (event: string) => at(`/e/${event}/check-in`),
  checkInList: (event: string) => at(`/e/${event}/check-in/list`),
  undoCheckIn: (event: string, ticket: string) => at(`/e/${event}/check-in/${ticket}/undo`),
  undoThisCheckIn: (event: string, ticket: string, checkIn: string) =>
    at(`/e/${event}/check-in/${ticket}/undo/${checkIn}`),
  waitlist: (event: string) => at(`/e/${event}/waitlist`),
  removeFromWaitlist: (event: string, entry: string) => at(`/e/${event}/waitlist/${entry}/remove`),
  editEvent: (event: string) => at(`/e/${event}/settings`),
} as const
