import * as v from 'valibot'
import type { WriteTx } from '#machinery/db/port.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { typeFields } from '#product/catalog/registration-types/schemas.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { questionFields } from '#product/guests/questions/schemas.ts'
import type { MissingType } from './read-line.ts'
import * as imports from './rules.ts'
import type { CheckInput, Counts } from './schemas.ts'

const ANSWER = 'answer:'

/** Who does it, for the access log. */
type Doer = Pick<Actor, 'who' | 'requestId' | 'address'>

/** Lists the types that the lines of an export name and the event did not have when they were checked. */
export function missingTypes({ job, input }: imports.Upload): readonly MissingType[] {
  if (input.system === undefined || job.state !== 'done') return []
  const { missing = [] } = (job.outcome ?? {}) as Partial<Counts>
  return missing.filter(({ name }) => v.is(typeFields.name, name))
}

/**
 * Makes the types that an export names, and checks its lines anew. Nobody can buy them before the organizer has given them a
 * price and put them on sale.
 *
 * @param capacities in the order of `missingTypes`
 * @throws Problem not_found; already_taken for `name`, if somebody has made one of them meanwhile; those of `imports.check`
 */
export async function makeTypes(
  tx: WriteTx,
  actor: Doer,
  id: string,
  capacities: readonly number[],
): Promise<Job> {
  const upload = await imports.get(tx, id)
  const { event_id } = upload.job
  for (const [at, { name, extra }] of missingTypes(upload).entries()) {
    const type = { name, description: null, price: 0, capacity: capacities[at] ?? 0, active: false }
    const kind = extra === true ? 'extra' : 'ticket'
    const dates = { sales_start: null, sales_end: null, valid_from: null, valid_until: null }
    const create = () => registrationTypes.create(tx, event_id ?? '', { ...type, ...dates, kind })
    const outcome = await runRecorded(tx, actor, create, {
      action: 'registration_type.create',
      targetType: 'registration_type',
      targetOf: created => created.id,
      details: () => ({ job_id: id }),
    })
    if (outcome.problem !== undefined) throw outcome.problem
  }
  const { columns, registration_type_id: registrationTypeId } = upload.input
  return imports.check(tx, id, { columns, registrationTypeId, by: actor.who })
}

/**
 * Starts an import as `imports.start` does. What people were asked in another shop becomes questions of the event, so that each
 * answer stands below its own. They are retired: nobody is asked them before the organizer wants it.
 *
 * @throws Problem those of `imports.start`
 */
export async function start(tx: WriteTx, actor: Doer, id: string): Promise<Job> {
  const { job, input } = await imports.get(tx, id)
  if (input.system !== undefined && job.event_id !== null)
    await makeQuestions(tx, actor, job.event_id, {
      input,
      counts: (job.outcome ?? {}) as Partial<Counts>,
      id,
    })
  return imports.start(tx, id, actor.who)
}

async function makeQuestions(
  tx: WriteTx,
  actor: Doer,
  eventId: string,
  { input, counts, id }: { input: CheckInput; counts: Partial<Counts>; id: string },
): Promise<void> {
  const known = new Set((await questions.listAll(tx, eventId)).map(({ key }) => key))
  for (const at of counts.answered ?? []) {
    const target = input.columns[at] ?? 'none'
    if (!target.startsWith(ANSWER)) continue
    const key = target.slice(ANSWER.length)
    const label = (input.headers[at] ?? '').trim()
    // The answers keep a key that no question can have.
    const isPossible = v.is(questionFields.key, key) && v.is(questionFields.label, label) && key !== 'event'
    if (known.has(key) || !isPossible) continue
    const create = async () => {
      const made = await questions.create(tx, eventId, {
        ...{ key, label, help: null, kind: 'text', choices: [], required: false },
        ...{ asked_for: 'order', registration_type_ids: null },
      })
      return questions.setRetired(tx, eventId, made.id, true)
    }
    const outcome = await runRecorded(tx, actor, create, {
      action: 'question.create',
      targetType: 'question',
      targetOf: made => made.id,
      details: () => ({ job_id: id }),
    })
    // An event with as many questions as there can be keeps the answers without one.
    if (outcome.problem !== undefined) return
    known.add(key)
  }
}
