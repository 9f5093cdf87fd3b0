import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'

// A server loads this module before the program: its log seems larger than it is, so that a short run has many checkpoints.
const size = Object.getOwnPropertyDescriptor(WriteAheadLog.prototype, 'size')?.get as (
  this: WriteAheadLog,
) => number
Object.defineProperty(WriteAheadLog.prototype, 'size', {
  get(this: WriteAheadLog) {
    return 16 * size.call(this)
  },
})
