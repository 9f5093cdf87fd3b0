import type { Level, UserRequest } from './page-request.ts'

/** A level and a request of it, whose navigation a page shows. */
export interface Place {
  level: Level
  /** The declared path of the page, or an empty one if there is no such page. */
  path: string
  request: UserRequest
}
