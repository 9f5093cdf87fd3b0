import type { Voice } from '#machinery/web/voice.ts'
import { countriesIn } from './countries.ts'
import type { Question } from './schemas.ts'

/** Returns a kept answer as people read it: a country by its name, a date as all dates, and yes and no in their language. */
export function printAnswer(
  { kind }: Pick<Question, 'kind'>,
  answer: string,
  { texts: { questions }, format }: Voice,
): string {
  switch (kind) {
    case 'country':
      return countriesIn(format.language).find(({ value }) => value === answer)?.label ?? answer
    case 'yes_no':
      return answer === 'yes' ? questions.yes : answer === 'no' ? questions.no : answer
    case 'date':
      return Number.isNaN(Date.parse(answer)) ? answer : format.day(answer)
    default:
      return answer
  }
}
