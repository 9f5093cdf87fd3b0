import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import {
  listRevisions,
  type Revision,
  type SubmittedAbstract,
} from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call, Kind } from '#product/programme/calls/schemas.ts'
import type { AbstractFile } from '#product/programme/files/schemas.ts'
import { isBlind } from '#product/programme/reviews/rounds.ts'
import { type Answered, listAnswers } from '#product/programme/submissions/answers.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { findOfAbstract } from '#product/programme/submissions/files.ts'
import type { Formulas } from '#product/programme/submissions/formulas.ts'
import { findNamed } from '#product/programme/submissions/named.ts'
import { findByAbstract, type Submitted } from '#product/programme/submissions/rules.ts'
import { readSent } from '#product/programme/submissions/send.ts'

/** The page of an abstract shows this many entries of the access log about it. */
const MOST_ENTRIES = 50

/** Who has withdrawn or changed it stands in the log too, by what was submitted. */
const shown: ReadonlySet<string> = new Set(['abstract.decide', 'abstract.withdraw', 'abstract.reopen'])

/** What the page of an abstract shows of it. */
export interface Read {
  abstract: SubmittedAbstract
  /** The parts of its text. It is undefined for an abstract that a file has brought. */
  sections: Content['sections'] | undefined
  /** What its author has answered beside the text. */
  answers: readonly Answered[]
  /** What tells reviewers who has written it, if they are not to know. */
  named: readonly string[]
  /** Those in its text, as they were made when it was sent. */
  formulas: Formulas
  call: Call | undefined
  topic: string | undefined
  kind: Kind | undefined
  /** Who has submitted it, unless a file has brought it. */
  submitted: Submitted | undefined
  /** The file beside it. It is undefined for none, and for one that is only named, as in an organization file. */
  file: AbstractFile | undefined
  /** When it was sent and changed, the newest first. */
  revisions: readonly Revision[]
  /** The entries about decisions and withdrawals, newest first. */
  entries: readonly AccessLogEntry[]
  names: ActorNames
}

/** @throws Problem not_found */
export async function readAbstract(tx: ReadTx, eventId: string, id: string): Promise<Read> {
  const abstract = await getOfEvent(tx, eventId, id)
  const call = await calls.find(tx, eventId)
  const submitted = await findByAbstract(tx, id)
  const about = submitted === undefined ? [id] : [id, submitted.submission.id]
  const entries = await accessLog.listAbout(tx, about, MOST_ENTRIES)
  const isSent = abstract.revision > 0
  const sent = isSent ? await readSent(tx, { abstract_id: id }) : undefined
  return {
    abstract,
    sections: sent?.content.sections,
    answers: sent === undefined || call === undefined ? [] : listAnswers(sent.content, call),
    named:
      sent !== undefined && call !== undefined && (await isBlind(tx, eventId))
        ? findNamed(sent.content, call)
        : [],
    formulas: sent?.formulas ?? new Map(),
    call,
    topic: call?.topics.find(topic => topic.id === abstract.topic_id)?.name,
    kind: call?.kinds.find(kind => kind.id === abstract.kind_id),
    submitted,
    file: await findOfAbstract(tx, abstract),
    revisions: isSent ? await listRevisions(tx, id) : [],
    entries: entries.filter(({ action, details }) => shown.has(action) && details.code === undefined),
    names: await readActorNames(tx),
  }
}
