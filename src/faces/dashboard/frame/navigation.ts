import { may } from '../users/roles.ts'
import type { IconName } from '../web/components/icon.tsx'
import { fillPath } from '../web/link.ts'
import type { OfAccount, OfEvent } from './asked.ts'
import type { Declaration, NavigationPage } from './declaration.ts'
import type { Page } from './page.ts'
import { DASHBOARD_PATH } from './paths.ts'

export interface NavigationLink {
  href: string
  icon: IconName
  text: string
  isCurrent: boolean
}

/** Those of the pages that the navigation names, in their order. */
export function navigationOf(pages: readonly Page[]): NavigationPage[] {
  return pages.filter(isNamed)
}

function isNamed(page: Page): page is Page & NavigationPage {
  return page.navigation !== undefined && (page.level === 'account' || page.level === 'event')
}

/** The links of the pages that the asker may see. @param path the declared path of the page that is shown */
export function navigationFor(level: 'account' | 'event', path: string, asked: OfAccount): NavigationLink[] {
  const { texts } = asked.voice
  const pages = asked.navigation.filter(page => page.level === level && isSeen(page, asked))
  const current = pages
    .filter(page => path === page.path || path.startsWith(`${page.path}/`))
    .sort((one, other) => other.path.length - one.path.length)[0]
  const params = { account: asked.account.id, event: level === 'event' ? (asked as OfEvent).event.id : '' }
  return pages.map(page => ({
    href: DASHBOARD_PATH + fillPath(page.path, params),
    icon: page.navigation.icon,
    text: page.navigation.text(texts),
    isCurrent: page === current,
  }))
}

/** Whether the asker's role and the instance's allow a page. */
export function isSeen(
  { permission, isOfInstance, isOfAllEvents }: Omit<Declaration, 'path'>,
  { member, user }: OfAccount,
): boolean {
  return (
    (permission === undefined || may(member.role, permission)) &&
    (isOfInstance !== true || user.operator) &&
    (isOfAllEvents !== true || member.event_ids === null)
  )
}
