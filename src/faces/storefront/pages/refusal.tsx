import type { Problem } from '#base/problem.ts'
import { errorBody, statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { answerJson } from '#machinery/http/sending.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { answerOnce } from '../answer.ts'
import { StoreDocument } from '../document.tsx'
import { speechOf, voiceOf } from '../voice.ts'

/** Answers a refused or unknown request. People get a page, and programs get the same JSON as from every other address. */
export function answerRefusal(context: Context, problem: Problem): void {
  const status = statusOf(problem)
  if (context.accepts('json', 'html') !== 'html') {
    answerJson(context, status, errorBody(problem, context.state.requestId))
    return
  }
  const speech = speechOf(context)
  const voice = voiceOf(speech, 'UTC')
  const { storefront: texts } = voice.texts
  const [title, about] =
    status === 404 || status === 405
      ? [texts.notFound, texts.notFoundAbout]
      : status === 429
        ? [texts.tooMany, texts.tooManyAbout]
        : problem.code === 'documents_waiting'
          ? [voice.texts.problems.heading.filesWait, describeProblem(voice.texts, problem)]
          : problem.code === 'door_only'
            ? [texts.doorOnly, texts.doorOnlyAbout]
            : [texts.failed, texts.failedAbout]
  answerOnce(
    context,
    status,
    <StoreDocument speech={speech} voice={voice} title={[title, voice.texts.page.product]}>
      <div class="card empty">
        <h1>{title}</h1>
        <p class="quiet">{about}</p>
        {problem.code === 'documents_waiting' ? (
          <a class="button main" href={context.path + context.search}>
            {voice.texts.problems.again}
          </a>
        ) : (
          status >= 500 && <p class="small quiet">{context.state.requestId}</p>
        )}
      </div>
    </StoreDocument>,
  )
}
