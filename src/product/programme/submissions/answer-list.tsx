import { Facts } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { printAnswer } from '#product/guests/questions/print-answer.ts'
import type { Answered } from './answers.ts'

/** Shows what an author has answered, if there is anything. */
export function AnswerList({ answers, voice }: { answers: readonly Answered[]; voice: Voice }) {
  if (answers.length === 0) return null
  return (
    <Facts
      facts={answers.map(({ question, answer }) => [
        <bdi key="label">{question.label}</bdi>,
        <span key="answer" class="lines" dir="auto">
          {printAnswer(question, answer, voice)}
        </span>,
      ])}
    />
  )
}
