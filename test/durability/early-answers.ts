import { WriteAheadLog } from '../../src/db/wal.ts'

// Loaded into a server before the program: it syncs as ever, and answers without waiting for the end of the sync.
const sync = WriteAheadLog.prototype.sync
WriteAheadLog.prototype.sync = function (this: WriteAheadLog) {
  void sync.call(this)
  return Promise.resolve()
}
