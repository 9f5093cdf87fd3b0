import { API_PATH } from '../api/route.ts'
import { DASHBOARD_PATH } from '../dashboard/paths.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type { Face, FaceRoute, Stage } from '../http/face.ts'
import { ORDERS_PATH, TICKETS_PATH } from '../orders/mails.tsx'
import type { Paying } from '../payments/reconciler.ts'
import { Problem } from '../problem.ts'

/** What the log says of a copy that only admits. */
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
 * All that a box at the door answers, by face: what is not here is refused. It takes what `scan export` carries home, and what it
 * needs itself to be used; any other change would be lost with the box, or set something off that its server does too.
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
      // Devices, and what their scans leave to decide.
      '/e/{event}/doors/**',
      ...['/a/{account}/system/backups/new', '/a/{account}/system/check'],
    ],
  },
  // Who has a ticket may look at it here, too.
  [TICKETS_PATH]: { GET: 'all' },
  [ORDERS_PATH]: { GET: ['/{secret}', '/{secret}/tickets.pdf', '/{secret}/calendar.ics'] },
  '': {
    GET: [
      ...['/', '/{account}', '/{account}/', '/{account}/{event}', '/{account}/{event}/'],
      ...['/{account}/{event}/calendar.ics', '/{account}/{event}/cover/{hash}'],
    ],
  },
}

/** The faces of a box at the door: each route that is not allowed is refused with `door_only`, before anything is read. */
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

function isAllowed(facePath: string, { method, path }: Pick<FaceRoute, 'method' | 'path'>): boolean {
  const allowed = ALLOWED[facePath] ?? {}
  const paths = allowed === 'all' ? 'all' : (allowed[method] ?? [])
  return paths === 'all' || paths.some(each => isMeant(each, path))
}

/** `/doors/**` is all below it, and itself. */
function isMeant(allowed: string, path: string): boolean {
  const above = allowed.endsWith('/**') ? allowed.slice(0, -3) : undefined
  return above === undefined ? path === allowed : path === above || path.startsWith(`${above}/`)
}
