import { makeFault } from '#base/faults.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest, type Services, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { placeFault, tooLarge } from '#faces/dashboard/guests/import-upload.tsx'
import { statusOf } from '#machinery/http/errors.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import { MAX_BYTES } from '#machinery/tables/lines.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { ButtonLink, Empty, Facts, Head } from '#machinery/web/components/parts.tsx'
import { fileField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { XLSX } from '#machinery/workbooks/writing.ts'
import { readSheet } from '#product/administration/sheets/table.ts'
import { type Column, columns, countRecognized, names } from '#product/programme/abstract-imports/columns.ts'
import { upload } from '#product/programme/abstract-imports/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { askedOf } from '#product/programme/submissions/answers.ts'
import { headingsOf } from '#product/programme/submissions/submission-fields.ts'
import { languages } from '#texts/languages.ts'
import { ToCall } from './call-card.tsx'

const UPLOAD = { level: 'event', path: '/e/{event}/abstracts/import' } as const
const MAX_NAME = 200

const fields = {
  file: fileField(`.xlsx,${XLSX},.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values`, {
    label: texts => texts.abstractImports.file,
    help: texts => texts.abstractImports.fileHelp,
  }),
}

/** Takes a table with abstracts. Nothing of it is added before somebody has seen what would be. */
export const uploadAbstracts: PageAt<'event'> = {
  ...UPLOAD,
  permission: 'abstracts',
  takesFile: true,
  get: (services, context, request) => show(services, context, request, newForm(fields, scaleOf(request))),
  post: async (services, context, request) => {
    const { db } = services
    const { language } = request.voice.format
    try {
      const options = { sender: request.user.id, max: MAX_BYTES }
      const job = await services.uploads.take(context.req, options, async ({ file }, keep) => {
        if (file === undefined) throw refusal('file', makeFault('required'))
        const name = [...file.name.toWellFormed()].slice(0, MAX_NAME).join('')
        const table = await readSheet(file, countRecognized, keep)
        await context.state.admitAgain()
        return upload(db, actorOf(request), request.event.id, { table, name, language })
      })
      goTo(services, context, { path: paths.abstractImport(request.event.id, job.id) })
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const refused = problem.details?.reason === undefined ? placeFault('file', problem) : { problem }
      const state = { ...newForm(fields, scaleOf(request)), ...refused }
      await show(services, context, request, state, statusOf(problem))
    }
  },
}

async function show(
  { db }: Services,
  context: Context,
  request: EventRequest,
  state: FormState,
  status = 200,
): Promise<void> {
  const { account, event, voice } = request
  const { abstracts, abstractAdding, abstractImports: texts, callSettings } = voice.texts
  const call = await db.read(account.id, tx => calls.find(tx, event.id))
  const body = (
    <>
      <Head
        title={texts.title}
        about={texts.about}
        crumbs={<a href={paths.abstracts(event.id)}>{abstracts.title}</a>}
      />
      {call === undefined ? (
        <Empty
          icon="paper"
          title={abstractAdding.noCall}
          action={<ToCall request={request}>{callSettings.setUp}</ToCall>}
        >
          {abstractAdding.noCallAbout}
        </Empty>
      ) : (
        <div class="stack">
          <div class="card">
            <Form
              state={state}
              texts={voice.texts}
              action={paths.importAbstracts(event.id)}
              submit={texts.read}
              isGuarded={false}
            />
          </div>
          <Columns call={call} request={request} />
        </div>
      )}
    </>
  )
  await answerView(context, UPLOAD, request, { title: texts.title, body, status })
}

function Columns({ call, request }: { call: Call; request: EventRequest }) {
  const { event, voice } = request
  const { abstractImports: texts } = voice.texts
  const { columnHelp: help } = texts
  return (
    <section class="card stack" aria-labelledby="columns">
      <h2 id="columns">{texts.columns}</h2>
      <p>{texts.columnsAbout}</p>
      <p>
        <ButtonLink href={paths.abstractTemplate(event.id)}>{texts.template}</ButtonLink>
      </p>
      <Facts
        facts={columnsOf(call, request).map(({ header, column }) => [
          header,
          column === 'section' ? help.section(header) : help[column],
        ])}
      />
    </section>
  )
}

/** A column with its name. A section of the text goes by its heading, and an answer by its question. */
interface NamedColumn {
  header: string
  column: Column | 'section' | 'question'
}

/** Returns the columns of a table for a call, each with the name that it has in the template. */
function columnsOf(call: Call, { voice }: EventRequest): NamedColumn[] {
  const place = languages.indexOf(voice.format.language)
  const sections = headingsOf(call).filter(heading => heading !== '')
  const asked = askedOf(call).map(({ label: header }): NamedColumn => ({ header, column: 'question' }))
  const ofText = columns.flatMap((column): NamedColumn[] => {
    if (column === 'text' && sections.length > 0)
      return sections.map(header => ({ header, column: 'section' }))
    // The names of the template come first, one a language; some are the same in both.
    return [{ header: names[column][place] ?? column, column }]
  })
  return [...ofText, ...asked]
}

/** Sends a table that has the columns and an example, to fill in. */
export const abstractTemplate = download('event', {
  path: '/e/{event}/abstracts/import/template.csv',
  permission: 'abstracts',
  open: async (reader, request) => {
    const { account, event } = request
    const call = await reader.read(account.id, tx => calls.get(tx, event.id))
    const headers = columnsOf(call, request).map(({ header }) => safeCell(header))
    return {
      type: 'text/csv; charset=utf-8',
      fileName: 'abstracts.csv',
      chunks: (async function* () {
        yield BYTE_ORDER_MARK + toCsv([headers])
      })(),
    }
  },
})
