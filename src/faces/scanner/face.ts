import type { Face, State } from '#machinery/http/face.ts'
import { DOOR_PATH } from '#product/entrance/doors/rules.ts'
import { pageRoutes } from './page-routes.ts'
import { DoorRequests, type DoorServices } from './requests.ts'

/** Serves the scanner at the door: its page, and the page's requests. */
export function doorFace(services: DoorServices): Face<State> {
  const routes = [...pageRoutes(services), ...new DoorRequests(services).routes()]
  return { path: DOOR_PATH, isForPeople: true, routes }
}
