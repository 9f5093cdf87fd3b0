import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'

// A server loads this module before the program, and then trusts SQLite's `synchronous = NORMAL` alone.
WriteAheadLog.prototype.sync = () => Promise.resolve()
