import type { IconName } from '#machinery/web/components/icon.tsx'
import { fillPath } from '#machinery/web/link.ts'
import { may } from '#product/administration/users/roles.ts'
import type { Declaration, NavigationPage } from './declaration.ts'
import type { Page } from './page.ts'
import type { AccountRequest, EventRequest } from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'

export interface NavigationLink {
  href: string
  icon: IconName
  text: string
  isCurrent: boolean
}

/**
 * Lists the paths below an account and below an event. The most used come first, because a phone shows four and puts the others
 * behind More.
 */
const ORDER = {
  account: [
    '',
    '/reports',
    '/team',
    '/keys',
    '/payments',
    '/statements',
    '/webhooks',
    '/messages',
    '/settings',
    '/log',
    '/system',
  ],
  event: [
    ...['', '/guests', '/check-in', '/doors', '/tickets', '/waitlist', '/abstracts', '/messages', '/reports'],
    ...['/page', '/settings'],
  ],
}

/**
 * Returns the pages that the navigation names, in its order, from whatever folders.
 *
 * @throws Error if a page has no place in the order
 */
export function navigationOf(pages: readonly Page[]): NavigationPage[] {
  return pages
    .filter(isNamed)
    .map(page => ({ page, place: placeOf(page) }))
    .sort((one, other) => one.place - other.place)
    .map(({ page }) => page)
}

function placeOf({ level, path }: NavigationPage): number {
  const place = ORDER[level].indexOf(path.replace(/^\/\w\/\{\w+\}/, ''))
  if (place === -1) throw new Error(`${path} has no place in the navigation.`)
  return place
}

function isNamed(page: Page): page is Page & NavigationPage {
  return page.navigation !== undefined && (page.level === 'account' || page.level === 'event')
}

/** Returns the links of the pages that the user may see. @param path the declared path of the page that is shown */
export function navigationFor(
  level: 'account' | 'event',
  path: string,
  request: AccountRequest,
): NavigationLink[] {
  const { texts } = request.voice
  const pages = request.navigation.filter(page => page.level === level && isSeen(page, request))
  const current = pages
    .filter(page => path === page.path || path.startsWith(`${page.path}/`))
    .sort((one, other) => other.path.length - one.path.length)[0]
  const params = {
    account: request.account.id,
    event: level === 'event' ? (request as EventRequest).event.id : '',
  }
  return pages.map(page => ({
    href: DASHBOARD_PATH + fillPath(page.path, params),
    icon: page.navigation.icon,
    text: page.navigation.text(texts),
    isCurrent: page === current,
  }))
}

/** Returns whether the member's role and events, and the user's part as an operator, allow a page. */
export function isSeen(
  { permission, isOfInstance, isOfAllEvents }: Omit<Declaration, 'path'>,
  { member, user }: AccountRequest,
): boolean {
  return (
    (permission === undefined || may(member.role, permission)) &&
    (isOfInstance !== true || user.operator) &&
    (isOfAllEvents !== true || member.event_ids === null)
  )
}
