import { withQuery } from '#machinery/web/link.ts'
import type { Destination } from './destination.ts'
import type { PageRequest } from './page-request.ts'
import { DASHBOARD_PATH } from './paths.ts'

/** The name of the way back in the query of an address. */
const BACK = 'back'
/** The most characters of a way back. */
const MAX_BACK = 500

/**
 * Returns whether an address belongs to the dashboard. Otherwise the author of a link to a page could send people elsewhere.
 * Browsers resolve `..`, written as it may be, so an address that has any is no address of the dashboard.
 */
export function isOwnAddress(to: string): boolean {
  if (to !== DASHBOARD_PATH && !/^\/manage\/[\w./?&=%+-]*$/.test(to)) return false
  const { pathname, search } = new URL(to, 'http://own.invalid')
  return pathname + search === to
}

/** Returns the address of a setting, with the way back to the page that links to it. */
export function toSetting(path: string, field: string, back: string): string {
  return `${withBack(path, back)}#${field}`
}

/** Returns the address of a form with the way back to the page that links to it. */
export function withBack(path: string, back: string): string {
  return withQuery(path, { [BACK]: back })
}

/** Returns the page that led to this one. It is undefined if none did, or if it is not of the dashboard. */
export function wayBack({ query }: PageRequest): string | undefined {
  const to = query.get(BACK) ?? ''
  return to.length <= MAX_BACK && isOwnAddress(to) ? to : undefined
}

/** Adds the way back of a request to the address of a page, so that it is not lost there. */
export function withWayBack(path: string, request: PageRequest): string {
  return withQuery(path, { [BACK]: wayBack(request) })
}

/** Returns where a form leads that was opened from elsewhere: back there, with the same notice. */
export function backFrom(destination: Destination, request: PageRequest): Destination {
  return { ...destination, path: wayBack(request) ?? destination.path }
}
