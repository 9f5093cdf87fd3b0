import { decideAbstract, getAbstract, listAbstracts } from './operations/abstracts.ts'
import { createCheckIn, listCheckIns } from './operations/check-ins.ts'
import { getEvent, listEvents } from './operations/events.ts'
import { listRegistrationTypes } from './operations/registration-types.ts'
import {
  cancelRegistration,
  createRegistration,
  getRegistration,
  listRegistrations,
} from './operations/registrations.ts'
import { getMonthlyReport, getRegistrationReport } from './operations/reports.ts'
import type { Route } from './route.ts'

/** This list holds every operation, in the order of the specification's section 4. */
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
