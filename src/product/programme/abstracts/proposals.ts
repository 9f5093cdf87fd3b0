import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import * as store from './proposal-store.ts'
import { type Abstract, readAuthors } from './schemas.ts'
import { getSubmitted } from './submitted.ts'

/** The most proposals of an event: as many as it has abstracts that were sent. */
export const MOST_PROPOSED = 5_000

/** What chairs have agreed on, and nobody else knows of. */
export interface Proposal extends Pick<Abstract, 'code' | 'title' | 'contact' | 'authors'> {
  abstract_id: string
  event_id: string
  decision: 'accepted' | 'rejected'
  /** The kind of the call that it is accepted as. It is null for the one that its authors asked for. */
  kind_id: string | null
  note: string | null
  /** The name of the access log. */
  proposed_by: string
  /** Of who has sent it. It is null for one that a file has brought. */
  submitter_email: string | null
  /** The job that will send it as it is. It is undefined if none is under way. */
  sending: string | undefined
}

/** What a chair proposes. */
export type NewProposal = Pick<Proposal, 'abstract_id' | 'decision' | 'kind_id' | 'note' | 'proposed_by'>

/** @returns undefined if nothing is proposed for the abstract */
export async function find(tx: ReadTx, abstractId: string): Promise<Proposal | undefined> {
  const row = await store.find(tx, abstractId)
  return row && present(row)
}

/** Lists all proposals of an event, by the ids of their abstracts. */
export async function listOfEvent(tx: ReadTx, eventId: string): Promise<Proposal[]> {
  return (await store.listOfEvent(tx, eventId, undefined, MOST_PROPOSED)).map(present)
}

/**
 * Proposes a decision about an abstract, in place of an earlier proposal. Nothing that anybody else can see changes.
 *
 * @throws Problem not_found; abstract_withdrawn; being_sent; invalid_parameter for a `kind_id` that the call does not offer
 */
export async function propose(tx: WriteTx, eventId: string, proposal: NewProposal): Promise<void> {
  const { abstract_id, decision, note, proposed_by } = proposal
  const abstract = await getSubmitted(tx, abstract_id)
  if (abstract.event_id !== eventId) throw new Problem('not_found')
  if (abstract.withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  await refuseSending(tx, abstract_id)
  const kind_id = decision === 'accepted' ? proposal.kind_id : null
  await refuseUnknownKind(tx, eventId, kind_id)
  await store.put(
    tx,
    { abstract_id, event_id: eventId, decision, kind_id, note, proposed_by },
    await tx.now(),
  )
}

/** Takes a proposal back, if there is one. @throws Problem not_found; being_sent */
export async function takeBack(tx: WriteTx, eventId: string, abstractId: string): Promise<void> {
  const row = await store.find(tx, abstractId)
  if (row === undefined) return
  if (row.event_id !== eventId) throw new Problem('not_found')
  await refuseSending(tx, abstractId)
  await store.remove(tx, abstractId)
}

/** Refuses to change what is about to be sent as it was shown. @throws Problem being_sent */
async function refuseSending(tx: ReadTx, abstractId: string): Promise<void> {
  if ((await find(tx, abstractId))?.sending !== undefined) throw new Problem('being_sent')
}

/** @throws Problem invalid_parameter for `kind_id` */
async function refuseUnknownKind(tx: ReadTx, eventId: string, kindId: string | null): Promise<void> {
  if (kindId === null) return
  const call = await calls.find(tx, eventId)
  if (!offered(call?.kinds ?? []).some(({ id }) => id === kindId))
    throw new Problem('invalid_parameter', { param: 'kind_id' })
}

/** Hands the proposals of an event to the job that sends them, but for those that another one sends. @returns how many */
export async function handOver(
  tx: WriteTx,
  eventId: string,
  jobId: string,
  { except }: { except: readonly string[] },
): Promise<number> {
  const now = await tx.now()
  const count = await store.setJob(tx, eventId, jobId, now)
  for (const id of except) await store.clearJob(tx, id, jobId, now)
  return count - except.length
}

/** Lists the next proposals that a job has to send. */
export async function listOfJob(tx: ReadTx, jobId: string, limit: number): Promise<Proposal[]> {
  return (await store.listOfJob(tx, jobId, limit)).map(present)
}

/** Returns whether a job that sends something, if there is one, has still to do so. */
export function isUnderWay(state: Job['state'] | null): boolean {
  return state === 'waiting' || state === 'running'
}

function present(row: store.ProposedRow): Proposal {
  const { abstract_id, event_id, code, title, decision, kind_id, note, proposed_by, job_id, job_state } = row
  return {
    ...{ abstract_id, event_id, code, title, decision, kind_id, note, proposed_by },
    ...{ authors: readAuthors(row), submitter_email: row.submitter_email },
    contact: JSON.parse(row.contact) as Abstract['contact'],
    sending: job_id !== null && isUnderWay(job_state) ? job_id : undefined,
  }
}
