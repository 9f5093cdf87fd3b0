import { leadTo } from '../web/answer-page.ts'
import type { Flash } from '../web/flash.ts'
import type { Services } from './asked.ts'
import type { Context } from './context.ts'

/** Where a form or a button leads once it has done its work, and what is told there. */
export interface Destination {
  /** An address of this site. */
  path: string
  flash?: Flash | undefined
}

export function goTo({ flashes }: Services, context: Context, { path, flash }: Destination): void {
  if (flash !== undefined) flashes.send(context, flash)
  leadTo(context, path)
}
