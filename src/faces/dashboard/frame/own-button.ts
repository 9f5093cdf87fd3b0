import type { WriteTx } from '../db/port.ts'
import type { OfUser } from './asked.ts'
import { type Destination, goTo } from './destination.ts'
import { writeOwn } from './own-write.ts'
import type { PageAt } from './page.ts'

interface OwnButton {
  path: string
  /** Records what it does itself. @throws Problem */
  act: (tx: WriteTx, asked: OfUser) => Promise<unknown>
  next: Destination
}

/** A button of people themselves, which does one thing at once, and leads on. */
export function ownButton({ path, act, next }: OwnButton): PageAt<'user'> {
  return {
    path,
    level: 'user',
    post: async (services, context, asked) => {
      await writeOwn(services, asked, tx => act(tx, asked))
      goTo(services, context, next)
    },
  }
}
