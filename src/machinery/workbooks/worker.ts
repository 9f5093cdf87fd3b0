import { parentPort } from 'node:worker_threads'
import type { Fault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { giveWay } from '#machinery/threads/give-way.ts'
import type { SheetMessage, SheetTask } from './sheet-task.ts'
import { workbookToCsv } from './to-csv.ts'
import { writeWorkbook } from './write-workbook.ts'

// This script runs in a thread of its own. It reads and writes workbooks.
giveWay()

parentPort?.on('message', async (task: SheetTask) => {
  const { port } = task
  const say = (message: SheetMessage, transferred: ArrayBuffer[] = []) =>
    port.postMessage(message, transferred)
  try {
    if (task.kind === 'read')
      await workbookToCsv(task, piece => say({ piece }, [piece.buffer as ArrayBuffer]))
    else await writeWorkbook(task.head, port)
    say({ ended: true })
  } catch (error) {
    say(outcomeOf(error))
  }
  port.close()
})

/** A refusal of the file is passed on by what it says, as another thread gets a copy without its class. */
function outcomeOf(error: unknown): SheetMessage {
  if (!(error instanceof Problem)) return { failed: error }
  const { fault, line } = error.details as { fault: Fault; line?: number }
  return { refused: { fault, ...(line === undefined ? {} : { line }) } }
}
