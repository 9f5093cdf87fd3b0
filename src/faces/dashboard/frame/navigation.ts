import type { IconName } from '#machinery/web/components/icon.tsx'
import { fillPath } from '#machinery/web/link.ts'
import { may } from '#product/administration/users/roles.ts'
import type { Declaration, Navigation, NavigationPage } from './declaration.ts'
import type { Page } from './page.ts'
import type { AccountRequest, EventRequest } from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'

export interface NavigationLink {
  href: string
  icon: IconName
  text: string
  isCurrent: boolean
}

/** The links of a page, as a wide window and a phone show them. */
export interface NavigationLinks {
  wide: readonly NavigationLink[]
  /** The most used ones, which stand at the bottom of a phone. */
  phone: readonly NavigationLink[]
  /** The others, which a phone puts behind More. */
  more: readonly NavigationLink[]
}

/** Lists the paths below an account and below an event, as a wide window shows them. */
const ORDER = {
  account: [
    ...['', '/payments', '/statements', '/reports', '/team', '/settings'],
    ...['/messages', '/keys', '/webhooks', '/log', '/system'],
  ],
  event: [
    ...['', '/guests', '/orders', '/check-in', '/tickets', '/waitlist', '/abstracts', '/messages'],
    ...['/reports', '/settings'],
  ],
}

/** Lists the paths that a phone shows first. Between two talks the door is more urgent than the orders. */
const PHONE_ORDER = {
  account: ['', '/payments', '/team', '/settings'],
  event: ['', '/guests', '/check-in', '/orders'],
}

/** A phone has room for this many at its bottom. If there are more, the last of them opens the others. */
const ROOM_ON_PHONE = 5

/**
 * Reads the navigation from the declarations of all pages, from whatever folders.
 *
 * @throws Error if an entry has no place in the order, or a page belongs to no entry
 */
export function readNavigation(pages: readonly Page[]): Navigation {
  const entries = pages
    .filter(isNamed)
    .map(page => ({ page, place: placeOf(page) }))
    .sort((one, other) => one.place - other.place)
    .map(({ page }) => page)
  const entryOf = new Map<string, string>()
  for (const page of pages) {
    if (page.level !== 'account' && page.level !== 'event') continue
    const entry = findEntry(page, entries)
    if (entry !== undefined) entryOf.set(page.path, entry)
    // A button has no page of its own. Only its refusal is shown.
    else if (page.get !== undefined) throw new Error(`${page.path} belongs to no page of the navigation.`)
  }
  return { entries, entryOf }
}

function placeOf({ level, path }: NavigationPage): number {
  const place = ORDER[level].indexOf(pathWithin(path))
  if (place === -1) throw new Error(`${path} has no place in the navigation.`)
  return place
}

/** Returns the path below the account or event. It is empty for the first page of either. */
function pathWithin(path: string): string {
  return path.replace(/^\/\w\/\{\w+\}/, '')
}

/** Every path begins with that of the first page, so a page belongs to the first page only if it says so. */
function findEntry({ path, belongsTo }: Page, entries: readonly NavigationPage[]): string | undefined {
  return entries
    .map(entry => entry.path)
    .filter(entry =>
      belongsTo === undefined
        ? path === entry || (pathWithin(entry) !== '' && path.startsWith(`${entry}/`))
        : belongsTo === entry,
    )
    .sort((one, other) => other.length - one.length)[0]
}

function isNamed(page: Page): page is Page & NavigationPage {
  return page.navigation !== undefined && (page.level === 'account' || page.level === 'event')
}

/**
 * Returns the links of the pages that the user may see.
 *
 * @param path the declared path of the page that is shown, or of the one in the navigation that it belongs to
 */
export function navigationFor(
  level: 'account' | 'event',
  path: string,
  request: AccountRequest,
): NavigationLinks {
  const { texts } = request.voice
  const { entries, entryOf } = request.navigation
  const current = entryOf.get(path)
  const params = {
    account: request.account.id,
    event: level === 'event' ? (request as EventRequest).event.id : '',
  }
  const links = entries
    .filter(page => page.level === level && isSeen(page, request) && isOn(page, request))
    .map(page => ({
      path: pathWithin(page.path),
      href: DASHBOARD_PATH + fillPath(page.path, params),
      icon: page.navigation.icon,
      text: page.navigation.text(texts),
      isCurrent: page.path === current,
    }))
  const first = PHONE_ORDER[level].flatMap(each => links.filter(link => link.path === each))
  const others = links.filter(link => !first.includes(link))
  const room = links.length > ROOM_ON_PHONE ? ROOM_ON_PHONE - 1 : ROOM_ON_PHONE
  const phone = [...first, ...others].slice(0, room)
  return { wide: links, phone, more: links.filter(link => !phone.includes(link)) }
}

/** Returns whether an entry is for the event of the request. */
function isOn({ navigation: { isShown } }: NavigationPage, request: AccountRequest | EventRequest): boolean {
  return isShown === undefined || !('event' in request) || isShown(request.event)
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
