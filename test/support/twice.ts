import type { TestContext } from 'node:test'
import type { InstanceWriteTx, Owner, WriteTx } from '#machinery/db/port.ts'
import { EngineDatabase } from './engine-classes.ts'

type Work = (tx: WriteTx & InstanceWriteTx) => Promise<unknown>

class Undone extends Error {}

/** From now on the work of every write of this process runs twice, as the port allows, and the first run is undone. */
export function runWritesTwice(t: TestContext): void {
  const { write } = EngineDatabase.prototype
  t.mock.method(EngineDatabase.prototype, 'write', function (this: EngineDatabase, owner: Owner, work: Work) {
    return write.call(this, owner, async tx => {
      const both = tx as WriteTx & InstanceWriteTx
      const first = both.attempt(async () => {
        await work(both)
        throw new Undone()
      })
      // The second run throws a refusal again.
      await first.catch(() => undefined)
      return work(both)
    })
  })
}
