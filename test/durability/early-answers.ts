import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'

// A server loads this module before the program: it syncs as ever, and answers without waiting for the end of the sync.
const sync = WriteAheadLog.prototype.sync
WriteAheadLog.prototype.sync = function (this: WriteAheadLog) {
  // A command may have closed the log before its sync has begun.
  sync.call(this).catch(() => undefined)
  return Promise.resolve()
}
