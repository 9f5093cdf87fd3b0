import { DOOR_PATH } from '../doors/rules.ts'
import type { Face, State } from '../http/face.ts'
import { pageRoutes } from './page-routes.ts'
import { DoorRequests, type DoorServices } from './requests.ts'

/** The scanner at the door: its page, and what that asks. */
export function doorFace(services: DoorServices): Face<State> {
  return { path: DOOR_PATH, routes: [...pageRoutes(services), ...new DoorRequests(services).routes()] }
}
