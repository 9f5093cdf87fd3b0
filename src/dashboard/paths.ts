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
  abstracts: (event: string) => at(`/e/${event}/abstracts`),
  abstract: (event: string, abstract: string) => at(`/e/${event}/abstracts/${abstract}`),
  decideAbstracts: (event: string) => at(`/e/${event}/abstracts/decide`),
  reports: (event: string) => at(`/e/${event}/reports`),
  registrationsCsv: (event: string) => at(`/e/${event}/reports/registrations.csv`),
  registrationsJson: (event: string) => at(`/e/${event}/reports/registrations.json`),
  monthlyReport: (account: string) => at(`/a/${account}/reports`),
  monthlyCsv: (account: string) => at(`/a/${account}/reports/monthly.csv`),
  editEvent: (event: string) => at(`/e/${event}/settings`),
} as const
