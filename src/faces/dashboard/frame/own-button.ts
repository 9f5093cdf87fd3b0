import type { InstanceWriteTx } from '#machinery/db/port.ts'
import { type Destination, goTo } from './destination.ts'
import { writeOwn } from './own-write.ts'
import type { PageAt } from './page.ts'
import type { UserRequest } from './page-request.ts'

interface OwnButton {
  path: string
  /** Does the work and records it. @throws Problem */
  act: (tx: InstanceWriteTx, request: UserRequest) => Promise<unknown>
  next: Destination
}

/** Declares a button with which users change something of their own. It does one thing at once, and leads on. */
export function ownButton({ path, act, next }: OwnButton): PageAt<'user'> {
  return {
    path,
    level: 'user',
    post: async (services, context, request) => {
      await writeOwn(services, request, tx => act(tx, request))
      goTo(services, context, next)
    },
  }
}
