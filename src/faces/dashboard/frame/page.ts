import type { ComponentChildren } from 'preact'
import type { Level, Levels, Services } from './asked.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'

/** What a page shows. */
export interface View {
  /** Of the window. */
  title: string
  body: ComponentChildren
  /** What tells of the flash instead of a banner. */
  told?: ComponentChildren
  /** 200 by default. */
  status?: number
  /** The name of a file of styles beside that of all pages. */
  style?: string
  /** In seconds, of a page that changes by itself. */
  refresh?: number | undefined
}

/** Answers a request to a page. @throws Problem */
export type Handler<AtLevel extends Level> = (
  services: Services,
  context: Context,
  asked: Levels[AtLevel],
) => Promise<void>

/** A page as the face mounts it. */
export type Page = { [AtLevel in Level]: PageAt<AtLevel> }[Level]

export interface PageAt<AtLevel extends Level> extends Declaration {
  level: AtLevel
  /** What it answers is a file to save, not a page. */
  isFile?: true
  get?: Handler<AtLevel>
  post?: Handler<AtLevel>
  /** Shows its form as it was typed before somebody had to sign in again. */
  restore?: (
    services: Services,
    context: Context,
    asked: Levels[AtLevel],
    typed: URLSearchParams,
  ) => Promise<void>
}
