import { errorBody, statusOf } from '../../http/errors.ts'
import type { Context } from '../../http/face.ts'
import { answerJson } from '../../http/sending.ts'
import type { Problem } from '../../problem.ts'
import { answerOnce } from '../answer.ts'
import { StoreDocument } from '../document.tsx'
import { speechOf, voiceOf } from '../voice.ts'

/** What is refused, or not there: a page for people, and for programs what they get of every other address. */
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
        {status >= 500 && <p class="small quiet">{context.state.requestId}</p>}
      </div>
    </StoreDocument>,
  )
}
