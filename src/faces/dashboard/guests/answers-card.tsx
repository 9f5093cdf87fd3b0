import { Facts } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { countriesIn } from '#product/guests/questions/countries.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import type { Details } from '#product/guests/registrations/details.ts'

interface AnswersProps {
  guest: Details
  /** All questions of the event, in their order. */
  questions: readonly Question[]
  voice: Voice
}

/** Shows the answers of a registration and of its tickets, each under its question. */
export function AnswersCard({ guest, questions, voice }: AnswersProps) {
  const { guests: texts } = voice.texts
  const ofTickets = guest.attendees.flatMap(({ answers }, at) =>
    Object.keys(answers).length === 0 ? [] : [{ answers, number: at + 1 }],
  )
  const isEmpty = Object.keys(guest.answers).length + ofTickets.length === 0
  const of = { questions, voice }
  return (
    <section class="card" aria-labelledby="answers">
      <h2 id="answers">{texts.answers}</h2>
      {isEmpty && <p class="quiet">{texts.noAnswers}</p>}
      <AnswerFacts answers={guest.answers} {...of} />
      {ofTickets.map(({ answers, number }) => (
        <section key={number} aria-labelledby={`answers-${number}`}>
          <h3 id={`answers-${number}`}>{texts.ticketNumber(number)}</h3>
          <AnswerFacts answers={answers} {...of} />
        </section>
      ))}
    </section>
  )
}

/** Answers stand in the order of their questions. Those without a question, such as imported ones, come last under their keys. */
function AnswerFacts({ answers, questions, voice }: Omit<AnswersProps, 'guest'> & Pick<Details, 'answers'>) {
  const answered = questions.filter(({ key }) => Object.hasOwn(answers, key))
  const others = Object.keys(answers).filter(key => !answered.some(question => question.key === key))
  const facts = [
    ...answered.map(
      question => [question.label, showAnswer(question, answers[question.key] ?? '', voice)] as const,
    ),
    ...others.map(key => [key, answers[key] ?? ''] as const),
  ].map(
    ([label, answer], at) =>
      [
        label,
        <bdi key={at} class="lines">
          {answer}
        </bdi>,
      ] as const,
  )
  return facts.length === 0 ? null : <Facts facts={facts} />
}

/** Returns an answer in the words of its question, or as it is kept if the question no longer takes it. */
function showAnswer({ kind }: Question, answer: string, { texts, format }: Voice): string {
  if (kind === 'yes_no' && answer === 'yes') return texts.questions.yes
  if (kind === 'yes_no' && answer === 'no') return texts.questions.no
  if (kind === 'country')
    return countriesIn(format.language).find(({ value }) => value === answer)?.label ?? answer
  return answer
}
