import type { Fields } from '#machinery/web/forms/form.ts'
import { fieldOf } from '#product/guests/questions/answers.ts'
import { questionField, splitAnswer } from '#product/guests/questions/form.tsx'
import type { Question } from '#product/guests/questions/schemas.ts'
import { parseAnswer } from '#product/guests/questions/values.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { Content } from './content.ts'

// What a call asks beside the text. Answers stand under the keys of their questions, as those of registrations do.

type Asks = Pick<Call, 'questions'>

/** Returns the questions that authors are asked now. */
export function askedOf({ questions }: Asks): Question[] {
  return questions.filter(({ retired }) => !retired)
}

/** The field that says which questions a form asks. One that lacks some would empty their answers. */
export const ASKED = 'asked'

export function printAsked(call: Asks): string {
  return askedOf(call)
    .map(({ id }) => id)
    .join(' ')
}

export function answerNames(call: Asks): string[] {
  return askedOf(call).map(question => fieldOf(question))
}

/** Returns the fields of the answers, each of which says who reads it if reviewers do. */
export function answerFields(call: Asks, language: Language): Fields {
  return Object.fromEntries(
    askedOf(call).map(question => {
      const field = questionField(question, language)
      const { help, for_reviewers } = question
      const said = for_reviewers
        ? {
            help: ({ calls }: Parameters<typeof field.label>[0]) =>
              [help, calls.forReviewers].filter(Boolean).join(' '),
          }
        : {}
      return [fieldOf(question), { ...field, ...said }]
    }),
  )
}

/** Returns the answers that a form gives. Those to questions that are asked no more stay. @param was what was sent last */
export function readAnswers(
  values: Readonly<Record<string, unknown>>,
  call: Asks,
  was: Pick<Content, 'answers'> | undefined,
): Content['answers'] {
  const asked = askedOf(call)
  const kept = Object.entries(was?.answers ?? {}).filter(([key]) => !asked.some(each => each.key === key))
  const given = asked.flatMap(question => {
    const value = (values[fieldOf(question)] as string | null | undefined) ?? null
    return value === null ? [] : [[question.key, value] as const]
  })
  // Building it from entries makes `__proto__` a key like any other.
  return Object.fromEntries([...given, ...kept])
}

/** Returns what the fields show of answers that were sent. */
export function typedAnswers({ answers }: Pick<Content, 'answers'>, call: Asks): Record<string, string[]> {
  return Object.fromEntries(
    askedOf(call).map(question => [fieldOf(question), splitAnswer(question, answerTo(question, answers))]),
  )
}

/** An answer with what it answers. */
export interface Answered {
  question: Pick<Question, 'key' | 'label' | 'kind'>
  answer: string
}

/** Lists the answers of an abstract in the order of the questions. */
export function listAnswers({ answers }: Pick<Content, 'answers'>, { questions }: Asks): Answered[] {
  return questions.flatMap(question => {
    const answer = answerTo(question, answers)
    return answer === null ? [] : [{ question, answer }]
  })
}

/** Returns the question that is not answered, or no longer as it asks. @returns undefined if each is */
export function findUnanswered({ answers }: Pick<Content, 'answers'>, call: Asks): Question | undefined {
  return askedOf(call).find(
    question => 'fault' in parseAnswer(question, splitAnswer(question, answerTo(question, answers))),
  )
}

/** Returns a call for those who write in the name of others, who do not know each answer. */
export function withoutDuties(call: Call): Call {
  return { ...call, questions: call.questions.map(question => ({ ...question, required: false })) }
}

function answerTo({ key }: Pick<Question, 'key'>, answers: Content['answers']): string | null {
  return Object.hasOwn(answers, key) ? (answers[key] as string) : null
}
