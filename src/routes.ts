import { decideAbstract, getAbstract, listAbstracts } from './abstracts/routes.ts'
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

import { getMonthlyReport, getRegistrationReport } from './reports/routes.ts'

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
  listAbstracts,
  getAbstract,
  decideAbstract,
  getRegistrationReport,
  getMonthlyReport,
]
