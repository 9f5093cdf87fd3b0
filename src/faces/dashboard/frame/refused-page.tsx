import { statusOf } from '../http/errors.ts'
import type { Problem } from '../problem.ts'
import { answerPage } from '../web/answer-page.ts'
import { Document } from '../web/document.tsx'
import { chooseLanguage } from '../web/texts/languages.ts'
import { tellProblem } from '../web/texts/tell-problem.ts'
import { voiceOf } from './admission.ts'
import type { Context } from './context.ts'
import { paths } from './paths.ts'

/** What a page says instead of what was asked for. */
export async function answerRefusedPage(context: Context, problem: Problem): Promise<void> {
  const { voice = voiceOf(chooseLanguage(context.acceptsLanguages.bind(context)), 'UTC'), requestId } =
    context.state as Partial<Context['state']>
  const { texts, format } = voice
  const { heading } = texts.problems
  const status = statusOf(problem)
  const title =
    status === 404 ? heading.notFound : problem.code === 'not_allowed' ? heading.notAllowed : heading.other
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
        <div class="card empty">
          <h1>{title}</h1>
          <p class="quiet">{tellProblem(texts, problem)}</p>
          {status >= 500 && <p class="small quiet">{requestId}</p>}
          <a class="button" href={paths.home}>
            {texts.navigation.toEvents}
          </a>
        </div>
      </main>
    </Document>,
  )
}
