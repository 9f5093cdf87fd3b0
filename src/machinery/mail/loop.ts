import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import { WorkLoop } from '#machinery/db/work-loop.ts'
import { type Composed, compose, type Letters, withoutSecrets } from './compose.ts'
import { withdrawn } from './conclusion.ts'
import { delayAfter } from './schedule.ts'
import { lanes, NOT_MADE, NOT_NEEDED } from './schemas.ts'
import { CONNECTIONS, type Smtp, type SmtpOutcome } from './smtp.ts'
import type { Trouble } from './smtp-trouble.ts'
import * as store from './store.ts'

/** A claim moves a mail this far into the future, in milliseconds. That is past the end of the slowest attempt. */
const LEASE = 10 * MINUTE
/** The pauses in milliseconds while no mail would fare better. Each try that fails leads to the next, longer one. */
const PAUSES = [5 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]
/** How long stopping waits for the mails under way. */
const STOP_TIMEOUT = 5 * SECOND
const TICK = 10

export interface MailLoopOptions extends Letters {
  db: Database
  clock: Clock
  log: Logger
  smtp: Pick<Smtp, 'send' | 'close' | 'domain'>
  /** Mails a minute. */
  rate: number
  /** Returns a number from 0 to 1. */
  random?: (() => number) | undefined
}

/** The state that the person who runs the server should know. */
export interface MailState {
  /** The trouble with the mail server, because of which nothing is sent, or undefined. */
  trouble: MailTrouble | undefined
  /** The time of the last sent mail since this start, in milliseconds. */
  lastSent: number | undefined
}

export interface MailTrouble {
  since: number
  kind: Trouble
  /** The server's answer, or why there was none. */
  answer: string
}

interface Claim extends store.DueRow {
  until: number
}

interface Ended {
  claim: Claim
  conclusion: store.Conclusion
}

/**
 * Sends the mails of the outbox. The loop claims a mail in the database before it sends it, and concludes it there afterwards. A
 * mail that may have been sent is sent again after a crash, with the same Message-ID. A failure that would hit any mail, such as
 * a missing server, stops all of them for a while and counts for none.
 */
export class MailLoop {
  readonly #db: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #smtp: MailLoopOptions['smtp']
  readonly #letters: Letters
  readonly #rate: number
  readonly #random: () => number
  readonly #workLoop: WorkLoop
  readonly #underWay = new Set<string>()
  /** The starts of the mails of the last minute. */
  #begun: number[] = []
  #ended: Ended[] = []
  #trouble: (MailTrouble & { times: number; until: number }) | undefined
  #lastSent: number | undefined
  #stopping = false

  constructor({ db, clock, log, smtp, kinds, server, rate, random = Math.random }: MailLoopOptions) {
    this.#db = db
    this.#clock = clock
    this.#log = log
    this.#smtp = smtp
    this.#letters = { kinds, server }
    this.#rate = rate
    this.#random = random
    const failed = (error: unknown) => log.warn({ err: error }, 'the mails wait for the database')
    this.#workLoop = new WorkLoop({ db, work: () => this.#run(), failed })
  }

  get state(): MailState {
    const { since, kind, answer } = this.#trouble ?? {}
    const trouble = since === undefined ? undefined : ({ since, kind, answer } as MailTrouble)
    return { trouble, lastSent: this.#lastSent }
  }

  /** Looks for due mails after every commit, and when it is woken. */
  start(): void {
    this.#workLoop.start()
  }

  /** Makes the loop look for due mails. */
  wake(): void {
    this.#workLoop.wake()
  }

  /** Works until no mail is due that can be sent now. */
  settled(): Promise<void> {
    return this.#workLoop.settled()
  }

  /** Claims nothing more, and lets the mails under way end. */
  async stop(): Promise<void> {
    this.#stopping = true
    const deadline = performance.now() + STOP_TIMEOUT
    while (
      (this.#underWay.size > this.#ended.length || this.#workLoop.isBusy) &&
      performance.now() < deadline
    ) {
      await setTimeout(TICK)
    }
    await this.#smtp.close()
    while (this.#underWay.size > this.#ended.length || this.#workLoop.isBusy) await setTimeout(TICK)
    await this.#run().catch(error => this.#log.warn({ err: error }, 'the last mails will be sent again'))
  }

  /** Concludes the mails that have ended, and claims and begins those that are due, with one write for all of them. */
  async #run(): Promise<void> {
    const due = await this.#findDue()
    const ended = this.#ended.splice(0)
    if (ended.length === 0 && due.length === 0) return
    const until = this.#clock() + LEASE
    let claims: Claim[]
    try {
      claims = await this.#db.write(INSTANCE, async tx => {
        for (const { claim, conclusion } of ended) {
          await store.conclude(tx, claim, claim.until, conclusion, await tx.now())
        }
        return this.#claim(tx, due, until)
      })
    } catch (error) {
      this.#ended.unshift(...ended)
      throw error
    }
    for (const { claim, conclusion } of ended) {
      this.#underWay.delete(claim.id)
      if (conclusion.status === 'withdrawn') this.#forgetBegun(claim)
    }
    // The places of the ended mails are free.
    if (ended.length > 0) this.#workLoop.wake()
    for (const claim of claims) {
      this.#underWay.add(claim.id)
      this.#begun.push(claim.until - LEASE)
      const sent = this.#send(claim).then(conclusion => void this.#ended.push({ claim, conclusion }))
      this.#workLoop.begin(sent)
    }
  }

  /** Forgets the start of a mail that was not sent, so that it takes no place of the minute from another. */
  #forgetBegun({ until }: Claim): void {
    const at = this.#begun.indexOf(until - LEASE)
    if (at >= 0) this.#begun.splice(at, 1)
  }

  async #claim(tx: InstanceWriteTx, due: readonly store.DueRow[], until: number): Promise<Claim[]> {
    const claims: Claim[] = []
    for (const row of due) {
      if ((await store.claim(tx, row, until, await tx.now())) > 0) claims.push({ ...row, until })
    }
    return claims
  }

  /** Returns as many due mails as there are connections for and as the minute has room for. The first lane comes first. */
  async #findDue(): Promise<store.DueRow[]> {
    const now = this.#clock()
    // A start in the future comes from a clock that was ahead.
    this.#begun = this.#begun.filter(at => at > now - MINUTE && at <= now)
    const places = Math.min(CONNECTIONS - this.#underWay.size, this.#rate - this.#begun.length)
    const isPaused = this.#trouble !== undefined && this.#trouble.until > now
    // After trouble, a single mail goes ahead of the others.
    const most = this.#trouble === undefined ? places : Math.min(places, 1 - this.#underWay.size)
    if (this.#stopping || isPaused || most <= 0) return []
    return this.#db.read(INSTANCE, async tx => {
      if ((await findHold(tx)) !== null) return []
      const due: store.DueRow[] = []
      for (const lane of Object.values(lanes)) {
        if (due.length < most) due.push(...(await store.listDue(tx, lane, now, most - due.length)))
      }
      return due
    })
  }

  /** Sends one mail. It never throws. */
  async #send(claim: Claim): Promise<store.Conclusion> {
    let mail: Mail | undefined
    try {
      mail = await this.#read(claim)
      if ('reason' in mail) return withdrawn(mail.attempts, mail.reason)
      const { id, recipient: to, created_at } = mail.mail
      const { letter } = mail.composed
      const messageId = `<${id}@${this.#smtp.domain}>`
      const date = new Date(created_at)
      const { attach, ...rest } = letter
      const attachments = [...letter.attachments, ...((await attach?.()) ?? [])]
      const outcome = await this.#smtp.send({ ...rest, attachments, to, messageId, date })
      const conclusion = this.#conclude(mail, outcome)
      const { secrets } = mail.composed
      const { details } = mail.mail
      // Most secrets are made again from other data. Only a secret that the details keep must be forgotten.
      const keepsDetails = conclusion.status === 'failed' && !secrets.some(secret => details.includes(secret))
      return { ...conclusion, keepsDetails }
    } catch (error) {
      this.#log.error({ err: error, email_id: claim.id }, 'a mail could not be made')
      const attempts = mail?.attempts ?? 0
      return this.#putOff(attempts + 1, NOT_MADE)
    }
  }

  async #read(claim: Claim): Promise<Mail> {
    const now = this.#clock()
    return this.#db.read(claim.account_id, async tx => {
      const row = await store.findDetails(tx, claim.id)
      if (row === undefined || row.next_attempt_at !== claim.until) return { attempts: 0, reason: '' }
      const { attempts } = row
      const composed = await compose(tx, row, this.#letters, now)
      if (composed === undefined) return { attempts, reason: NOT_NEEDED }
      return { attempts, mail: row, composed }
    })
  }

  #conclude({ attempts, composed }: MailMade, outcome: SmtpOutcome): store.Conclusion {
    const { answer } = outcome
    if (outcome.state === 'unavailable') {
      this.#noteTrouble(outcome.trouble, answer)
      // A mail at which the server breaks off each time must not stop all others forever.
      return outcome.mayHaveIt ? this.#putOff(attempts + 1, answer) : this.#wait(attempts, answer)
    }
    this.#noteWell()
    if (outcome.state === 'sent') {
      const { subject, text: body } = withoutSecrets(composed)
      const kept = { subject, body }
      const sent_at = this.#clock()
      this.#lastSent = sent_at
      return { status: 'sent', attempts: attempts + 1, next_attempt_at: null, sent_at, answer, ...kept }
    }
    if (outcome.isFinal) return { ...withdrawn(attempts + 1, answer), status: 'failed' }
    return this.#putOff(attempts + 1, answer)
  }

  #putOff(attempts: number, answer: string): store.Conclusion {
    const delay = delayAfter(attempts, this.#random())
    if (delay === undefined) return { ...withdrawn(attempts, answer), status: 'failed' }
    return { ...this.#wait(attempts, answer), next_attempt_at: this.#clock() + delay }
  }

  #wait(attempts: number, answer: string): store.Conclusion {
    const next_attempt_at = this.#clock()
    return { status: 'waiting', attempts, next_attempt_at, sent_at: null, answer, subject: null, body: null }
  }

  #noteTrouble(kind: Trouble, answer: string): void {
    const now = this.#clock()
    const { since, times } = this.#trouble ?? { since: now, times: 0 }
    const length = PAUSES[Math.min(times, PAUSES.length - 1)] as number
    this.#trouble = { since, kind, answer, times: times + 1, until: now + length }
    // The log leaves the answer out, because it may name people.
    if (times === 0) this.#log.warn({ trouble: kind }, 'mail waits for its server')
  }

  #noteWell(): void {
    if (this.#trouble !== undefined) this.#log.info('mail goes out again')
    this.#trouble = undefined
  }
}

interface MailMade {
  attempts: number
  mail: store.DetailedRow
  composed: Composed
}

/** A made mail, or the reason why there is none. */
type Mail = MailMade | { attempts: number; reason: string }
