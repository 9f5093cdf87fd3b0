import { DASHBOARD_PATH } from '#product/administration/users/links.ts'

const of = (account: string, series: string) => `${DASHBOARD_PATH}/a/${account}/series/${series}`

/** The addresses of the pages of a series, and of those that copy an event. */
export const seriesPaths = {
  duplicateEvent: (event: string) => `${DASHBOARD_PATH}/e/${event}/duplicate`,
  repeatEvent: (event: string) => `${DASHBOARD_PATH}/e/${event}/repeat`,
  repeatDates: (event: string) => `${DASHBOARD_PATH}/e/${event}/repeat/dates`,
  changeDates: (event: string) => `${DASHBOARD_PATH}/e/${event}/repeat/change`,
  series: of,
  publishSeries: (account: string, series: string) => `${of(account, series)}/publish`,
  shareSeries: (account: string, series: string, what?: 'qr.svg' | 'qr.png') =>
    `${of(account, series)}/share${what === undefined ? '' : `/${what}`}`,
  renameSeries: (account: string, series: string) => `${of(account, series)}/name`,
} as const
