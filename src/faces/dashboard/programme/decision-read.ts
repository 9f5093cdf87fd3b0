import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { narrow, sortBy } from '#product/programme/decisions/narrowing.ts'
import { readStandings, type Standing, type Standings } from '#product/programme/decisions/standings.ts'
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
  return {
    ...{ ...asked, standings },
    found: wanted === undefined ? [] : sortBy(narrow(standings.rows, wanted), order, voice.format.language),
    names: await reader.read(account.id, readActorNames),
  }
}
