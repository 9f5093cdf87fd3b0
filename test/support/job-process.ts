import { sendAnnouncement } from '../../src/announcements/send.ts'
import type { Database, WriteTx } from '../../src/db/port.ts'
import { openDatabaseForCommand } from '../../src/db/sqlite/data-folder.ts'
import { check } from '../../src/imports/check.ts'
import { importGuests } from '../../src/imports/import.ts'
import { JobRunner } from '../../src/jobs/runner.ts'
import { openLog } from '../../src/log.ts'
import { counting } from './counting-job.ts'

// A process that does nothing but jobs: DATA, how far its clock is ahead in milliseconds, and `apart` for the fault that a
// batch and how far the job is are two transactions, between which the process ends.

const [data = '', ahead = '0', mode] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)

/** The statement by which the runner keeps how far a job is is put off to a write of its own. */
function apart(db: Database): Database {
  const write: Database['write'] = async (owner, work) => {
    let advancing = false
    const result = await db.write(owner, tx => {
      const proxy: WriteTx = new Proxy(tx, {
        get(target, name: keyof WriteTx) {
          if (name !== 'run') return (target[name] as (...args: unknown[]) => unknown).bind(target)
          return async (sql: string, params: never[]) => {
            if (!sql.startsWith('UPDATE jobs SET state = $4, position')) return target.run(sql, params)
            advancing = true
            return 1
          }
        },
      })
      return work(proxy)
    })
    if (advancing) process.kill(process.pid, 'SIGKILL')
    return result
  }
  return new Proxy(db, {
    get: (target, name: keyof Database) =>
      name === 'write' ? write : (target[name] as (...args: unknown[]) => unknown).bind(target),
  })
}

const opened = openDatabaseForCommand(data, clock)
const db = mode === 'apart' ? apart(opened) : opened
const log = openLog('error', { write: line => process.stderr.write(line) })
new JobRunner({ db, clock, log, kinds: [counting, check, importGuests, sendAnnouncement] }).start()
// The runner alone would not keep the process.
setInterval(() => undefined, 1000)
process.stdout.write('running\n')
