import { Problem } from '#base/problem.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { orderScopes } from '#product/guests/questions/kinds.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { Question } from '#product/guests/questions/schemas.ts'

/** Where questions are edited. What those who order are asked and what authors are asked have the same pages at two places. */
export interface QuestionPlace {
  path: string
  /** What the addresses of one question call it. */
  id: string
  permission: 'events.edit' | 'abstracts'
  /** Which texts of their own the pages have. */
  of: 'orders' | 'abstracts'
  scopes: readonly Question['asked_for'][]
  list(tx: ReadTx, eventId: string): Promise<Question[]>
  /** The addresses of the pages: the list, and what is below it. */
  at(eventId: string, ...below: string[]): string
}

/** What those who order are asked. */
export const questionsOfOrders: QuestionPlace = {
  path: '/e/{event}/tickets/questions',
  id: 'question',
  permission: 'events.edit',
  of: 'orders',
  scopes: orderScopes,
  list: questions.list,
  at: (eventId, ...below) => [paths.questions(eventId), ...below].join('/'),
}

/** What authors are asked, by whoever sets up the call. */
export const questionsOfAbstracts: QuestionPlace = {
  path: '/e/{event}/abstracts/call/questions',
  id: 'asked',
  permission: 'abstracts',
  of: 'abstracts',
  scopes: ['abstract'],
  list: questions.listOfAbstracts,
  at: (eventId, ...below) => [paths.callQuestions(eventId), ...below].join('/'),
}

/** @throws Problem not_found, also for a question of the other place, which may take another right */
export async function getQuestion(
  tx: ReadTx,
  { event, params }: Pick<EventRequest, 'event' | 'params'>,
  place: QuestionPlace,
): Promise<Question> {
  const found = (await place.list(tx, event.id)).find(({ id }) => id === params[place.id])
  if (found === undefined) throw new Problem('not_found')
  return found
}
