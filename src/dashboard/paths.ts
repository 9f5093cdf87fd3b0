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
  newType: (event: string) => at(`/e/${event}/tickets/new`),
  editType: (event: string, type: string) => at(`/e/${event}/tickets/${type}`),
  moveType: (event: string, type: string) => at(`/e/${event}/tickets/${type}/move`),
  removeType: (event: string, type: string) => at(`/e/${event}/tickets/${type}/remove`),
  newPool: (event: string) => at(`/e/${event}/tickets/shared/new`),
  editPool: (event: string, pool: string) => at(`/e/${event}/tickets/shared/${pool}`),
  removePool: (event: string, pool: string) => at(`/e/${event}/tickets/shared/${pool}/remove`),
  guests: (event: string) => at(`/e/${event}/guests`),
  guestsCsv: (event: string) => at(`/e/${event}/guests.csv`),
  newGuest: (event: string) => at(`/e/${event}/guests/new`),
  cancelGuests: (event: string) => at(`/e/${event}/guests/cancel`),
  guest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}`),
  editGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/edit`),
  cancelGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/cancel`),
  eraseGuest: (event: string, registration: string) => at(`/e/${event}/guests/${registration}/erase`),
  /** Of a ticket: to check it in, to undo that with a reason, or at once. */
  guestTicket: (
    event: string,
    { registration, ticket }: { registration: string; ticket: string },
    action: 'check-in' | 'undo' | 'undo-at-once',
  ) => at(`/e/${event}/guests/${registration}/tickets/${ticket}/${action}`),
  job: (event: string, job: string) => at(`/e/${event}/jobs/${job}`),
  stopJob: (event: string, job: string) => at(`/e/${event}/jobs/${job}/stop`),
  checkIn: (event: string) => at(`/e/${event}/check-in`),
  checkInList: (event: string) => at(`/e/${event}/check-in/list`),
  undoCheckIn: (event: string, ticket: string) => at(`/e/${event}/check-in/${ticket}/undo`),
  undoThisCheckIn: (event: string, ticket: string, checkIn: string) =>
    at(`/e/${event}/check-in/${ticket}/undo/${checkIn}`),
  waitlist: (event: string) => at(`/e/${event}/waitlist`),
  removeFromWaitlist: (event: string, entry: string) => at(`/e/${event}/waitlist/${entry}/remove`),
  editEvent: (event: string) => at(`/e/${event}/settings`),
  previewEvent: (event: string) => at(`/e/${event}/settings/preview`),
  webhooks: (account: string) => at(`/a/${account}/webhooks`),
  system: (account: string) => at(`/a/${account}/system`),
} as const
