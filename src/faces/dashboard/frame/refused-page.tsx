import type { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { answerPage } from '#machinery/web/answer-page.ts'
import { Document } from '#machinery/web/document.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import { chooseLanguage } from '#texts/languages.ts'
import { voiceOf } from './admission.ts'
import type { Context } from './context.ts'
import { paths } from './paths.ts'

/**
 * Answers with a page that says why the requested page is refused. Members of the account that it is about keep the navigation.
 */
export async function answerRefusedPage(context: Context, problem: Problem): Promise<void> {
  const {
    voice = voiceOf(chooseLanguage(context.acceptsLanguages.bind(context)), 'UTC'),
    requestId,
    answerInFrame,
  } = context.state as Partial<Context['state']>
  const { texts, format } = voice
  const { heading } = texts.problems
  const status = statusOf(problem)
  // A file waits its turn. Users who ask again get it.
  const isWaiting = problem.code === 'documents_waiting'
  const title =
    status === 404
      ? heading.notFound
      : problem.code === 'not_allowed'
        ? heading.notAllowed
        : isWaiting
          ? heading.filesWait
          : heading.other
  const body = (
    <div class="card empty">
      <h1>{title}</h1>
      <p class="quiet">{describeProblem(texts, problem)}</p>
      {status >= 500 && !isWaiting && <p class="small quiet">{requestId}</p>}
      {isWaiting && (
        <a class="button main" href={context.path + context.search}>
          {texts.problems.again}
        </a>
      )}
      <a class="button" href={paths.home}>
        {texts.navigation.toEvents}
      </a>
    </div>
  )
  if (answerInFrame !== undefined) return answerInFrame({ title, status, body })
  await answerPage(
    context,
    status,
    <Document language={format.language} title={[title, texts.page.product]}>
      <header class="bar">
        <a class="event" href={paths.home}>
          <b>{texts.page.product}</b>
        </a>
      </header>
      <main id="content" class="narrow">
        {body}
      </main>
    </Document>,
  )
}
