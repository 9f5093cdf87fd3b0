import { openLog } from '#base/log.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import { deleteInBatches } from '#product/data-care/deletion/delete-in-batches.ts'
import { importGuests } from '#product/entrance/check-ins/imported.ts'
import { check } from '#product/guests/imports/check.ts'
import { sendAnnouncement } from '#product/mailing/announcements/send.ts'
import { sendNotice } from '#product/mailing/notices/send.ts'
import { importAbstracts } from '#product/programme/abstract-imports/import.ts'
import { confirmWatch } from '#product/programme/decisions/confirm-watch.ts'
import { remindingUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'
import { sendDecisions } from '#product/programme/decisions/sending.ts'
import { tellProgramme } from '#product/programme/publishing/telling.ts'
import { tellSubmitters } from '#product/programme/submissions/tell.ts'
import { sendTickets } from '#product/selling/guest-mails/send-tickets.ts'
import { counting } from './counting-job.ts'
import { openDatabase } from './engine.ts'

// This process does nothing but jobs, and reminds those who are asked to confirm. Its arguments are DATA, how far its clock is ahead in milliseconds, and its fault. `apart`: a
// batch and the progress of the job are two transactions, between which the process ends. `lost`: the same, with the progress
// first. `causeless`: as `apart`, and each mail has a cause of its own. `kept`: what was proposed goes in a transaction after the one
// that decides it. `unmarked`: that somebody was reminded is noted after the transaction with the mail, which has a cause of its own.

const [data = '', ahead = '0', mode = ''] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)

/** The statements of a batch that are put off to a write of their own, which never comes. */
const PUT_OFF: Readonly<Record<string, string>> = {
  apart: 'UPDATE jobs SET state = $4, position',
  causeless: 'UPDATE jobs SET state = $4, position',
  lost: 'INSERT INTO emails',
  kept: 'DELETE FROM proposals',
  unmarked: 'UPDATE abstracts SET confirm_reminded',
}
/** The faults with which each mail has a cause of its own. */
const CAUSELESS = ['causeless', 'unmarked']
/** The position of the cause in the statement that adds a mail. */
const CAUSE = 4

function faulty(db: Database, fault: string): Database {
  const write: Database['write'] = async (owner, work) => {
    let isPutOff = false
    const result = await db.write(owner, tx => {
      const proxy = new Proxy(tx as WriteTx, {
        get(target, name: keyof WriteTx) {
          if (name === 'accountId' || name === 'batchTime') return target[name]
          if (name !== 'run') return (target[name] as (...args: unknown[]) => unknown).bind(target)
          return async (sql: string, params: never[]) => {
            const isMail = sql.startsWith('INSERT INTO emails')
            if (CAUSELESS.includes(fault) && isMail) {
              return target.run(sql, params.with(CAUSE, `${params[CAUSE]} ${Math.random()}` as never))
            }
            if (!sql.startsWith(PUT_OFF[fault] as string)) return target.run(sql, params)
            isPutOff = true
            return 1
          }
        },
      })
      return work(proxy as typeof tx)
    })
    if (isPutOff) process.kill(process.pid, 'SIGKILL')
    return result
  }
  return new Proxy(db, {
    get: (target, name: keyof Database) =>
      name === 'write' ? write : (target[name] as (...args: unknown[]) => unknown).bind(target),
  })
}

const opened = await openDatabase(data, clock)
const db = mode in PUT_OFF ? faulty(opened, mode) : opened
const log = openLog('error', { write: line => process.stderr.write(line) })
const runner = new JobRunner({
  db,
  clock,
  log,
  kinds: [
    ...[counting, check, importGuests, sendAnnouncement, sendNotice, sendTickets, deleteInBatches],
    ...[importAbstracts, tellSubmitters, sendDecisions, remindingUnconfirmed, tellProgramme],
  ],
})
runner.start()
const confirmations = confirmWatch({ db, clock, log })
confirmations.look()
// The timer works as the schedule of a server does; the runner alone would not keep the process alive.
setInterval(() => {
  runner.wake()
  confirmations.look()
}, 1000)
process.stdout.write('running\n')
