import { paths } from '#faces/dashboard/frame/paths.ts'
import { may } from '#product/administration/users/roles.ts'
import type { Membership } from '#product/administration/users/schemas.ts'

/** Returns the page of an event on which a member begins. Who only checks tickets in begins there. */
export function firstPageOf(eventId: string, { role }: Pick<Membership, 'role'>): string {
  const isAtDoor = may(role, 'checkins') && !may(role, 'guests.read')
  return isAtDoor ? paths.checkIn(eventId) : paths.event(eventId)
}
