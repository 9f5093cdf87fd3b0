import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Actor, record } from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { mayStill } from '#product/administration/users/standing.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import * as kept from '#product/programme/abstracts/terms.ts'
import { endCode, giveCode } from './registration-codes.ts'
import type { SendingInput, SendingOutcome, Terms } from './sending-schemas.ts'
import { queueDecision } from './tell.ts'

/** Names the kind of the job that sends decisions. */
export const SEND_DECISIONS = 'abstracts.decide'

/** The most decisions of one write. */
const BATCH = 20

/** What is to be sent, and who sends it. */
export interface NewSending {
  input: SendingInput
  /** The abstracts of those whose proposals the sender may not see. Somebody else sends them. */
  except: readonly string[]
  /** As the access log names an actor. */
  by: string
  /** The instant in milliseconds before which nothing is sent. */
  notBefore?: number | undefined
}

/**
 * Hands all proposals of an event to a job that decides, logs and mails each once. Until it comes to one, nothing that anybody else can
 * see has changed.
 *
 * @throws Problem nothing_to_send
 */
export async function send(tx: WriteTx, eventId: string, sending: NewSending): Promise<Job> {
  const { input, except, by, notBefore } = sending
  const due = (await proposals.listOfEvent(tx, eventId)).filter(
    ({ abstract_id: id, sending: other }) => other === undefined && !except.includes(id),
  )
  if (due.length === 0) throw new Problem('nothing_to_send')
  const job = await jobs.start(tx, {
    ...{ kind: SEND_DECISIONS, eventId, input, total: due.length, by, notBefore },
  })
  await proposals.handOver(tx, eventId, job.id, { except })
  return job
}

/** Stops a sending. What it has not decided yet is proposed as before. @throws Problem not_found */
export async function stop(tx: WriteTx, eventId: string, id: string): Promise<Job> {
  const job = await jobs.get(tx, id)
  if (job.event_id !== eventId || job.kind !== SEND_DECISIONS) throw new Problem('not_found')
  return jobs.stop(tx, id)
}

/** How many of the newest jobs of an event are looked through for sendings. */
const LOOKED_AT = 100

/** Lists the sendings of an event that are under way or have ended lately, the newest first. */
export async function listSendings(tx: ReadTx, eventId: string): Promise<Job[]> {
  const all = [...(await jobs.list(tx, { limit: LOOKED_AT }, eventId))].map(({ resource }) => resource)
  return all.filter(({ kind }) => kind === SEND_DECISIONS)
}

const NOTHING: SendingOutcome = { accepted: 0, rejected: 0, mails: 0 }

/**
 * Sends what was proposed, as it was proposed. A transaction decides, logs, gives the code and writes the mails, and the proposal goes
 * with it: once, whatever crashes. What was withdrawn or decided meanwhile has no proposal any more.
 */
export const sendDecisions: jobs.JobKind = {
  name: SEND_DECISIONS,
  permission: 'abstracts',
  async run(tx, job, actor) {
    const until = performance.now() + tx.batchTime
    const input = job.input as unknown as SendingInput
    // Codes make tickets cheaper, which takes more than deciding does.
    if (input.code !== null && !(await mayStill(tx, actor.who, 'events.edit', job.event_id)))
      throw new Problem('no_longer_allowed')
    const outcome = { ...NOTHING, ...(job.outcome as Partial<SendingOutcome> | null) }
    const some = await proposals.listOfJob(tx, job.id, BATCH)
    let at = 0
    for (; at < some.length && (at === 0 || performance.now() < until); at++) {
      const proposal = some[at] as proposals.Proposal
      outcome.mails += await sendOne(tx, proposal, { input, actor, jobId: job.id })
      outcome[proposal.decision]++
    }
    const finished = at === some.length && some.length < BATCH
    return { position: null, done: job.done + at, finished, outcome: { ...outcome } }
  },
}

/** @returns how many mails were written */
async function sendOne(
  tx: WriteTx,
  { abstract_id: id, event_id, decision, kind_id, note }: proposals.Proposal,
  { input, actor, jobId }: { input: SendingInput; actor: Actor; jobId: string },
): Promise<number> {
  const outcome = await abstracts.decide(tx, id, { decision, kind_id, note: note ?? undefined })
  await setTerms(tx, outcome.resource, input)
  const details = { decision, event_id, job_id: jobId }
  await record(tx, { ...actor, action: 'abstract.decide', targetType: 'abstract', targetId: id, details })
  return queueDecision(tx, outcome, input.language, { presenters: input.presenters })
}

/** Keeps what authors are told beside a decision. */
async function setTerms(
  tx: WriteTx,
  { id, event_id, code, status }: abstracts.Outcome['resource'],
  terms: Terms,
): Promise<void> {
  const was = await kept.findTerms(tx, id)
  const registration_code_id = was?.registration_code_id ?? null
  const of = { event_id, code, registration_code_id }
  const isAccepted = status === 'accepted'
  if (!isAccepted) await endCode(tx, of)
  await kept.setTerms(tx, id, {
    confirm_by: isAccepted ? terms.confirm_by : null,
    comments_told_at: was?.comments_told_at ?? (terms.comments ? await tx.now() : null),
    registration_code_id:
      isAccepted && terms.code !== null ? await giveCode(tx, of, terms.code) : registration_code_id,
  })
}
