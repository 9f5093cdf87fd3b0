import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { narrow, sortBy } from '#product/programme/decisions/narrowing.ts'
import { readStandings, type Standing, type Standings } from '#product/programme/decisions/standings.ts'
import { readNamed } from '#product/programme/submissions/contents.ts'
import { type DecisionQuery, readDecisionQuery, searchOf } from './decision-query.ts'

/** The abstracts that an address asks for, in its order. */
export interface Decisions extends DecisionQuery {
  standings: Standings
  found: readonly Standing[]
  names: ActorNames
}

export async function readDecisions(reader: Reader, request: EventRequest): Promise<Decisions> {
  const { account, event, user, voice } = request
  const onlooker = { accountId: account.id, eventId: event.id, email: user.email }
  const standings = await readStandings(reader, onlooker, searchOf(request))
  const asked = readDecisionQuery(request, standings)
  const { wanted, order } = asked
  const found = wanted === undefined ? [] : narrow(standings.rows, wanted)
  const kept = asked.isNamed ? await keepNamed(reader, account.id, found, standings) : found
  return {
    ...{ ...asked, standings },
    found: sortBy(kept, order, voice.format.language),
    names: await reader.read(account.id, readActorNames),
  }
}

/** Only who asks for it has all texts read. */
async function keepNamed(
  reader: Reader,
  accountId: string,
  found: readonly Standing[],
  { call }: Standings,
): Promise<Standing[]> {
  const ids = found.map(({ id }) => id)
  const named = await readNamed(reader, accountId, ids, call ?? { questions: [] })
  return found.filter(({ id }) => named.has(id))
}
