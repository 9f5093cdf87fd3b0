import { createCheckIn, listCheckIns } from './checkins/routes.ts'
import { getEvent, listEvents } from './events/routes.ts'
import type { Route } from './http/route.ts'
import { listRegistrationTypes } from './registration-types/routes.ts'
import {
  cancelRegistration,
  createRegistration,
  getRegistration,
  listRegistrations,
} from './registrations/routes.ts'

/** The contents page: every operation, in the order of the specification's section 4. */
export const routes: readonly Route[] = [
  listEvents,
  getEvent,
  listRegistrationTypes,
  listRegistrations,
  createRegistration,
  getRegistration,
  cancelRegistration,
  listCheckIns,
  createCheckIn,
]
