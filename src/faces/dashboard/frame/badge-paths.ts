import { DASHBOARD_PATH } from '#product/administration/users/links.ts'

const of = (event: string) => `${DASHBOARD_PATH}/e/${event}/badges`

/** The addresses of the pages of badges. A print is named by its instant in milliseconds. */
export const badgePaths = {
  badges: of,
  badgeLayout: (event: string) => `${of(event)}/layout`,
  stopBadges: (event: string) => `${of(event)}/layout/stop`,
  badgeSample: (event: string) => `${of(event)}/sample/pdf`,
  badgePrint: (event: string, at: number) => `${of(event)}/prints/${at}`,
  badgeFile: (event: string, at: number) => `${of(event)}/prints/${at}/pdf`,
  undoBadges: (event: string, at: number) => `${of(event)}/prints/${at}/undo`,
  printBadge: (event: string, ticket: string) => `${of(event)}/tickets/${ticket}`,
} as const
