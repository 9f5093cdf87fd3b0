import { redirectTo } from '#machinery/web/answer-page.ts'
import type { Flash } from '#machinery/web/flash.ts'
import type { Context } from './context.ts'
import type { Services } from './page-request.ts'

/** Where a form or a button leads once it has done its work, and the notice that is shown there. */
export interface Destination {
  /** An address of this site. */
  path: string
  flash?: Flash | undefined
}

export function goTo({ flashes }: Services, context: Context, { path, flash }: Destination): void {
  if (flash !== undefined) flashes.send(context, flash)
  redirectTo(context, path)
}
