import { newUuid } from '#base/ids.ts'
import { openLog } from '#base/log.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { type OutgoingMail, Smtp, type SmtpOutcome } from '#machinery/mail/smtp.ts'
import { readSender, readSmtpUrl } from '#machinery/mail/smtp-settings.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import { openDatabase } from './engine.ts'

// This process does nothing but send mails. Its arguments are DATA, the address of the server, how far its clock is ahead in
// milliseconds, where it kills itself, and its fault: `early` reports a mail before it sends it, and `other-id` makes a Message-ID
// at each attempt.

const [data = '', url = '', ahead = '0', end = '', fault = ''] = process.argv.slice(2)
const clock = () => Date.now() + Number(ahead)

function endHere(where: string): Promise<never> | undefined {
  if (end !== where) return undefined
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

const CLAIM = 'UPDATE emails SET next_attempt_at'
const CONCLUSION = 'UPDATE emails SET status'

/** Wraps a database at whose writes the process may end. */
function watched(db: Database): Database {
  const write: Database['write'] = async (owner, work) => {
    const ran: string[] = []
    const result = await db.write(owner, tx => {
      const proxy = new Proxy(tx as WriteTx, {
        get(target, name: keyof WriteTx) {
          if (name === 'accountId') return target.accountId
          if (name !== 'run') return (target[name] as (...args: unknown[]) => unknown).bind(target)
          return async (sql: string, params: never[]) => {
            ran.push(sql)
            if (sql.startsWith(CLAIM)) await endHere('claiming')
            const changed = await target.run(sql, params)
            if (sql.startsWith(CONCLUSION)) await endHere('concluding')
            return changed
          }
        },
      })
      return work(proxy as typeof tx)
    })
    if (ran.some(sql => sql.startsWith(CLAIM))) await endHere('claimed')
    if (ran.some(sql => sql.startsWith(CONCLUSION))) await endHere('concluded')
    return result
  }
  return new Proxy(db, {
    get: (target, name: keyof Database) =>
      name === 'write' ? write : (target[name] as (...args: unknown[]) => unknown).bind(target),
  })
}

const smtp = new Smtp(readSmtpUrl(url), readSender('tickets@example.org'))

async function send(mail: OutgoingMail): Promise<SmtpOutcome> {
  if (fault === 'early') {
    setTimeout(() => smtp.send(mail), 1000)
    return { state: 'sent', answer: 'It will be well.' }
  }
  const messageId = fault === 'other-id' ? `<${newUuid()}@example.org>` : mail.messageId
  const outcome = await smtp.send({ ...mail, messageId })
  if (outcome.state === 'sent') await endHere('sent')
  return outcome
}

const loop = new MailLoop({
  db: watched(await openDatabase(data, clock)),
  clock,
  log: openLog('error', { write: line => process.stderr.write(line) }),
  smtp: { send, close: () => smtp.close(), domain: smtp.domain },
  kinds: [testMail],
  server: { baseUrl: 'https://tickets.example.org', secret: 's' },
  rate: 1000,
})
loop.start()
// The timer works as the schedule of a server does; the loop alone would not keep the process alive.
setInterval(() => loop.wake(), 1000)
