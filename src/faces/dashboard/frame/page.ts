import type { ComponentChildren } from 'preact'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import type { Level, Levels, Services } from './page-request.ts'

/** What a page shows. */
export interface View {
  /** The title of the window. */
  title: string
  body: ComponentChildren
  /** The heading is the name of the event, so the frame does not show it above. */
  namesEvent?: boolean
  /** Replaces the banner of the flash. */
  verdict?: ComponentChildren
  /** The HTTP status. The default is 200. */
  status?: number
  /** The name of a stylesheet beside that of all pages. */
  style?: string
  /** The path of the page in the navigation that it belongs to, where that depends on what it shows. */
  belongsTo?: string | undefined
  /** The seconds between two refreshes of a page that changes by itself. */
  refresh?: number | undefined
}

/** Answers a request to a page. @throws Problem */
export type Handler<AtLevel extends Level> = (
  services: Services,
  context: Context,
  request: Levels[AtLevel],
) => Promise<void>

/** A page as the face mounts it. */
export type Page = { [AtLevel in Level]: PageAt<AtLevel> }[Level]

export interface PageAt<AtLevel extends Level> extends Declaration {
  level: AtLevel
  /** The page answers with a file to save. */
  isFile?: true
  get?: Handler<AtLevel>
  post?: Handler<AtLevel>
  /** Shows its form as it was typed before the user had to sign in again. */
  restore?: (
    services: Services,
    context: Context,
    request: Levels[AtLevel],
    typed: URLSearchParams,
  ) => Promise<void>
}
