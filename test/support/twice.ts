import type { TestContext } from 'node:test'
import type { InstanceWriteTx } from '#machinery/db/port.ts'
import { GroupCommit } from '#machinery/db/sqlite/group-commit.ts'

type Work = (tx: InstanceWriteTx) => Promise<unknown>

class Undone extends Error {}

/** From now on the work of every write of this process runs twice, as the port allows, and the first run is undone. */
export function runWritesTwice(t: TestContext): void {
  const { write } = GroupCommit.prototype
  t.mock.method(GroupCommit.prototype, 'write', function (this: GroupCommit, work: Work) {
    return write.call(this, async tx => {
      const first = tx.attempt(async () => {
        await work(tx)
        throw new Undone()
      })
      // The second run throws a refusal again.
      await first.catch(() => undefined)
      return work(tx)
    })
  })
}
