import type { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import { answerPage } from '#machinery/web/answer-page.ts'
import { Document } from '#machinery/web/document.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import { chooseLanguage } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { voiceOf } from './admission.ts'
import type { Context } from './context.ts'
import { Layout } from './layout.tsx'
import { paths } from './paths.ts'
import type { Place } from './place.ts'

/** Answers with a page that says why the requested page is refused, with the navigation of the place where it is known. */
export async function answerRefusedPage(
  context: Context,
  problem: Problem,
  place: Place | undefined,
): Promise<void> {
  const { voice = voiceOf(chooseLanguage(context.acceptsLanguages.bind(context)), 'UTC') } =
    context.state as Partial<Context['state']>
  const { texts, format } = voice
  const status = statusOf(problem)
  const title = titleOf(problem, texts)
  const body = <Refusal context={context} problem={problem} title={title} texts={texts} />
  if (place !== undefined) {
    const view = { title, body, status }
    return answerPage(context, status, <Layout {...place} view={view} />)
  }
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

function titleOf(problem: Problem, { problems: { heading } }: Texts): string {
  if (statusOf(problem) === 404) return heading.notFound
  if (problem.code === 'not_allowed') return heading.notAllowed
  return isWaiting(problem) ? heading.filesWait : heading.other
}

/** Returns whether a file waits its turn. Users who ask again get it. */
function isWaiting({ code }: Problem): boolean {
  return code === 'documents_waiting'
}

interface RefusalProps {
  context: Context
  problem: Problem
  title: string
  texts: Texts
}

function Refusal({ context, problem, title, texts }: RefusalProps) {
  const waits = isWaiting(problem)
  return (
    <div class="card empty">
      <h1>{title}</h1>
      <p class="quiet">{describeProblem(texts, problem)}</p>
      {statusOf(problem) >= 500 && !waits && <p class="small quiet">{context.state.requestId}</p>}
      {waits && (
        <a class="button main" href={context.path + context.search}>
          {texts.problems.again}
        </a>
      )}
      <a class="button" href={paths.home}>
        {texts.navigation.toEvents}
      </a>
    </div>
  )
}
