import { DOOR_PATH } from '../doors/rules.ts'
import type { Face, State } from '../http/face.ts'
import { DoorRequests, type DoorServices } from './requests.ts'

/** The scanner at the door: what its page asks. */
export function doorFace(services: DoorServices): Face<State> {
  return { path: DOOR_PATH, routes: new DoorRequests(services).routes() }
}
