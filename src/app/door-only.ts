import { Problem } from '#base/problem.ts'
import { API_PATH } from '#faces/api/route.ts'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { Face, FaceRoute, Stage } from '#machinery/http/face.ts'
import type { Offers } from '#machinery/web/components/offered.tsx'
import { ORDERS_PATH, TICKETS_PATH } from '#product/selling/orders/links.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'

/** The line that the log has about a copy that only admits. */
export const IS_BOX =
  'this database is a copy or an older one, and only admits: bring its scans home with "turnout scan export"'

/** Asks no processor for anything, whoever looks at an order that is being paid. */
export const NO_PAYMENTS: Paying = {
  processors: new Map(),
  wake: () => {},
  look: () => {},
  glance: () => {},
}

type Method = FaceRoute['method']
type Allowed = 'all' | Partial<Record<Method, 'all' | readonly string[]>>

const ticketOfGuest = '/e/{event}/guests/{registration}/tickets/{ticket}'

/**
 * All that a box at the door answers, by face. It refuses everything else. It takes what `scan export` carries home, and what it
 * needs to be used. Any other change would be lost with the box, or would start something that its main server does too.
 */
export const ALLOWED: Readonly<Record<string, Allowed>> = {
  '/door': 'all',
  '/assets': 'all',
  '/healthz': 'all',
  '/trust': 'all',
  [API_PATH]: { GET: 'all', POST: ['/check-ins'] },
  [DASHBOARD_PATH]: {
    GET: 'all',
    POST: [
      ...['/sign-in', '/second-step', '/sign-out', '/sign-in/{token}'],
      ...['/profile/sessions/{session}/end', '/profile/sessions/end-others'],
      '/e/{event}/check-in',
      '/e/{event}/check-in/{ticket}/undo',
      '/e/{event}/check-in/{ticket}/undo/{checkIn}',
      ...[`${ticketOfGuest}/check-in`, `${ticketOfGuest}/undo`, `${ticketOfGuest}/undo-at-once/{checkIn}`],
      // Organizers manage devices and decide about open scans.
      '/e/{event}/doors/**',
      '/e/{event}/jobs/{job}/stop',
      ...['new', 'without-secrets'].map(kind => `/a/{account}/system/backups/${kind}`),
      '/a/{account}/system/check',
    ],
  },
  // Whoever has a ticket may look at it here, too.
  [TICKETS_PATH]: { GET: 'all' },
  [ORDERS_PATH]: { GET: ['/{secret}', '/{secret}/tickets.pdf', '/{secret}/calendar.ics'] },
  '': {
    GET: [
      '/favicon.ico',
      ...['/', '/{account}', '/{account}/', '/{account}/{event}', '/{account}/{event}/'],
      ...['/{account}/{event}/calendar.ics', '/{account}/{event}/cover/{hash}'],
    ],
  },
}

/**
 * Returns the faces of a box at the door. Every route that is not allowed answers `door_only` before the server reads anything.
 */
export function doorOnly(faces: readonly Face[], addresses: AddressLimit): Face[] {
  const refuse: Stage = async () => {
    throw new Problem('door_only')
  }
  return faces.map(face => ({
    ...face,
    routes: face.routes.map(route =>
      isAllowed(face.path, route) ? route : { ...route, stages: [addresses.stage as Stage<never>, refuse] },
    ),
  }))
}

/**
 * Returns what the pages of a box offer: no button that it would refuse, and none that leads to a form of such a thing.
 *
 * @param pages the pages of the dashboard by their paths, of which those with `post` take a form
 */
export function boxOffers(pages: readonly { path: string; post?: unknown }[]): Offers {
  const known = pages
    .filter(({ post }) => post !== undefined)
    .map(({ path }) => ({
      // Where two paths fit, that with fewer parameters is meant.
      parameters: path.split('{').length,
      pattern: new RegExp(`^${DASHBOARD_PATH}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
      isAllowed: isAllowed(DASHBOARD_PATH, { method: 'POST', path }),
    }))
    .sort((one, other) => one.parameters - other.parameters)
  return address => {
    const [path = ''] = address.split(/[?#]/)
    return known.find(({ pattern }) => pattern.test(path))?.isAllowed ?? true
  }
}

function isAllowed(facePath: string, { method, path }: Pick<FaceRoute, 'method' | 'path'>): boolean {
  const allowed = ALLOWED[facePath] ?? {}
  const paths = allowed === 'all' ? 'all' : (allowed[method] ?? [])
  return paths === 'all' || paths.some(each => isMeant(each, path))
}

/** Returns whether the path is allowed. `/doors/**` means `/doors` and everything below it. */
function isMeant(allowed: string, path: string): boolean {
  const above = allowed.endsWith('/**') ? allowed.slice(0, -3) : undefined
  return above === undefined ? path === allowed : path === above || path.startsWith(`${above}/`)
}
